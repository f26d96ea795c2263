#!/bin/sh
# Starts @NAME@ on a JDK (or JRE) 25 or newer: the one of CAIRN_JAVA_HOME or JAVA_HOME if it is new enough, else the first found.
# CAIRN_OPTS adds to the JVM's flags; what stands there wins over what stands here.
set -e
# Programs are started only where the shell cannot do without: each takes milliseconds, of which the first answer has few.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
done
home=$(cd -P "${self%/*}/.." && echo "$PWD")

java_of() {                              # sets java to that of a Java home, if it is of version 25 or newer
  [ -x "$1/bin/java" ] && [ -f "$1/release" ] || return 1
  while IFS='="' read -r key _ value _ || [ -n "$key" ]; do   # the last line may have no end
    if [ "$key" = JAVA_VERSION ]; then
      value=${value%%[!0-9]*}
      [ "${value:-0}" -ge 25 ] && java=$1/bin/java
      return
    fi
  done < "$1/release"
  return 1
}
find_java() {
  for j in "$CAIRN_JAVA_HOME" "$JAVA_HOME" "$home/runtime" /usr/lib/jvm/*25* /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
      /opt/*jdk* /opt/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    java_of "$j" && return 0
  done
  j=$(command -v java) && j=$(readlink -f "$j") && java_of "${j%/bin/java}"
}
find_java || { echo "@NAME@: needs Java 25 or newer; install it, or set CAIRN_JAVA_HOME to where it is" >&2; exit 1; }

# What a training run left of loaded classes and hot methods, if the installation has it: a faster start and less memory. A JVM it does not fit
# goes on without it.
cache=
[ -f "$home/lib/@NAME@.aot" ] && cache="-XX:AOTCache=$home/lib/@NAME@.aot -Xlog:cds*=off -Xlog:aot*=off"
# In one order, as in the training run. A class of picocli's is read from its jar at each start, for which all jars before it would be opened.
classes=
for jar in "$home"/lib/picocli-*.jar "$home"/lib/*.jar; do
  case :$classes: in *:"$jar":*) ;; *) classes=${classes:+$classes:}$jar ;; esac
done
# One malloc arena is enough for few threads that allocate little, and does not fragment.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"

# shellcheck disable=SC2086 # lists of words
exec "$java" @JVM_FLAGS@ $cache $CAIRN_OPTS -Djava.library.path="$home/lib/native" -cp "$classes" @MAIN@ "$@"
