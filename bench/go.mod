module kilter.dev/kilter/bench

go 1.26.0
