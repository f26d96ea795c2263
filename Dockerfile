# For those who have a container engine: what "./gradlew image" makes without one, made in a container. --target cairn-node gives the image for nodes.
#
#   docker build --target cairn -t cairn .
#
FROM eclipse-temurin:25-jdk AS build
RUN apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    git iproute2 ipset iptables libcap2-bin maven musl-tools netbase nftables openjdk-17-jdk-headless
COPY . /src
WORKDIR /src
RUN ./gradlew image -x setupTools
RUN for image in cairn cairn-node; do \
        setcap cap_net_bind_service=p build/image/$image/opt/cairn/bin/launcher && chmod 1777 build/image/$image/tmp || exit 1; \
    done

FROM scratch AS cairn-node
COPY --from=build /src/build/image/cairn-node/ /
ENV MALLOC_ARENA_MAX=1
USER 0:0
ENTRYPOINT ["/cairn-proxy"]

FROM scratch AS cairn
COPY --from=build /src/build/image/cairn/ /
ENV MALLOC_ARENA_MAX=1
USER 65532:65532
EXPOSE 53/udp 53/tcp
ENTRYPOINT ["/coredns"]
