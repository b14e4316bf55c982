#!/bin/sh
# Runs the driver in client mode by the entrypoint of Spark's image. Each file in PROPERTIES
# is a Spark property, its name the key. What differs between two drivers of one Job comes
# from the pod: its name, which makes it the owner of its executors and their volumes, so
# that they go when it goes, and its address.
set -eu
conf=$TMPDIR/spark.properties
for file in "$PROPERTIES"/*; do
	# In Java's properties \ escapes, and ends a line that goes on.
	printf '%s=%s\n' "${file##*/}" "$(sed -e 's/\\/\\\\/g' -e '$!s/$/\\n\\/' "$file")"
done >"$conf"
case $POD_IP in
*:*) address="[$POD_IP]" ;; # IPv6
*) address=$POD_IP ;;
esac
export SPARK_DRIVER_BIND_ADDRESS="$address"
label=spark.kubernetes.executor.label
exec "${ENTRYPOINT:-/opt/entrypoint.sh}" driver \
	--properties-file "$conf" \
	--conf "spark.driver.host=$address" \
	--conf "spark.kubernetes.namespace=$POD_NAMESPACE" \
	--conf "spark.kubernetes.driver.pod.name=$POD_NAME" \
	--conf "spark.kubernetes.executor.podNamePrefix=$POD_NAME" \
	--conf "$label.app.kubernetes.io/name=spark-batch" \
	--conf "$label.app.kubernetes.io/instance=$INSTANCE" \
	--conf "$label.app.kubernetes.io/component=executor" \
	--conf "$label.sidecar.istio.io/inject=false" \
	"$@"
