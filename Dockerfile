# The KRM function, for kustomize and kpt: make image builds it.
FROM scratch
LABEL org.opencontainers.image.title=kilter org.opencontainers.image.licenses=Apache-2.0
# kustomize and kpt run functions as the user nobody, whom an empty image does not have.
COPY image/passwd /etc/passwd
COPY bin/linux/kilter /kilter
USER 65534:65534
ENTRYPOINT ["/kilter"]
CMD ["fn"]
