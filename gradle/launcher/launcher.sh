#!/bin/sh
# Starts @NAME@ on a JDK (or JRE) 25 or newer: the one of CAIRN_JAVA_HOME or JAVA_HOME if it is new enough, else the first found.
# CAIRN_OPTS adds to the JVM's flags; what stands there wins over what stands here.
set -e
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=$(dirname "$self")/$link ;; esac
done
home=$(cd "$(dirname "$self")/.." && pwd -P)

java_of() {                              # prints the java of a Java home of version 25 or newer
  [ -x "$1/bin/java" ] && [ -f "$1/release" ] || return 1
  major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  [ "${major:-0}" -ge 25 ] && echo "$1/bin/java"
}
find_java() {
  for j in "$CAIRN_JAVA_HOME" "$JAVA_HOME" "$home/runtime" /usr/lib/jvm/*25* /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
      /opt/*jdk* /opt/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home "$(dirname "$(dirname "$(readlink -f "$(command -v java || echo /)")")")"; do
    java_of "$j" && return 0
  done
  return 1
}
java=$(find_java) || { echo "@NAME@: needs Java 25 or newer; install it, or set CAIRN_JAVA_HOME to where it is" >&2; exit 1; }

# What a training run left of loaded classes and hot methods, if the installation has it: a faster start and less memory. A JVM it does not fit
# goes on without it.
cache=
[ -f "$home/lib/@NAME@.aot" ] && cache="-XX:AOTCache=$home/lib/@NAME@.aot -Xlog:cds*=off -Xlog:aot*=off"
# In the order of their names, as in the training run.
classes=
for jar in "$home"/lib/*.jar; do
  classes=${classes:+$classes:}$jar
done
# One malloc arena is enough for few threads that allocate little, and does not fragment.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"

# shellcheck disable=SC2086 # lists of words
exec "$java" @JVM_FLAGS@ $cache $CAIRN_OPTS -Djava.library.path="$home/lib/native" -cp "$classes" @MAIN@ "$@"
