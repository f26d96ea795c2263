package dev.cairn.bench.load;

import dev.cairn.e2e.KubeApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** The objects of a large cluster: services in 100 namespaces, every tenth headless, ten endpoints each. */
public final class BigCluster {
    public static final int ENDPOINTS = 10;
    public static final String ZONE = "cluster.local";

    private static final int NAMESPACES = 100;
    private static final int WRITERS = 24;
    private static final int STEP = 1000;

    private BigCluster() {}

    public static boolean isHeadless(int service) {
        return service % 10 == 9;
    }

    /** A service's name, without the last dot. */
    public static String name(int service) {
        return "service-" + service + "." + namespace(service) + ".svc." + ZONE;
    }

    private static String namespace(int service) {
        return "ns-" + service % NAMESPACES;
    }

    private static String clusterIp(int service) {
        return "10.96." + (1 + service / 250) + "." + (1 + service % 250);
    }

    public static String endpoint(int service, int i) {
        return podAddress(service * ENDPOINTS + i);
    }

    private static String podAddress(int pod) {
        return "10." + (128 + (pod >> 16)) + "." + (pod >> 8 & 255) + "." + (pod & 255);
    }

    static String slicePath(int service) {
        return "/apis/discovery.k8s.io/v1/namespaces/" + namespace(service) + "/endpointslices/service-" + service + "-abcde";
    }

    /** The same names as records of a zone file, relative to the zone. */
    public static String zoneFile(int services) {
        StringBuilder zone = new StringBuilder();
        for (int i = 0; i < services; i++) {
            String owner = name(i).substring(0, name(i).length() - ZONE.length() - 1) + " 30 A ";
            for (int e = 0; e < (isHeadless(i) ? ENDPOINTS : 1); e++) {
                zone.append(owner).append(isHeadless(i) ? endpoint(i, e) : clusterIp(i)).append('\n');
            }
        }
        return zone.toString();
    }

    /** The A records of all services, in mixed order, as dnsperf reads them. */
    public static String queries(int services) {
        StringBuilder queries = new StringBuilder();
        for (int i = 0; i < services; i++) {
            queries.append(name((int) (i * 2654435761L % services))).append(" A\n");
        }
        return queries.toString();
    }

    /** Writes services that are not there yet, and their endpoints, by several threads, and tells how many there are. */
    public static void write(KubeApi api, int from, int to, boolean withEndpoints, IntConsumer written) throws IOException, InterruptedException {
        if (from == 0) {
            for (int i = 0; i < NAMESPACES; i++) {
                api.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"ns-" + i + "\"}}");
            }
        }
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (int step = from; step < to; step += STEP) {
                List<Future<?>> all = new ArrayList<>();
                int end = Math.min(to, step + STEP);
                for (int i = step; i < end; i++) {
                    int service = i;
                    all.add(writers.submit(() -> {
                        api.post("/api/v1/namespaces/" + namespace(service) + "/services", serviceJson(service));
                        if (withEndpoints) {
                            api.post("/apis/discovery.k8s.io/v1/namespaces/" + namespace(service) + "/endpointslices", sliceJson(service));
                        }
                        return null;
                    }));
                }
                for (Future<?> one : all) {
                    one.get();
                }
                written.accept(end);
            }
        } catch (ExecutionException e) {
            throw new IOException("cannot write the cluster: " + e.getCause(), e);
        }
    }

    static String serviceJson(int service) {
        return """
                {"metadata":{"name":"service-%1$d","labels":{"app":"service-%1$d"}},"spec":{"clusterIP":"%2$s","selector":{"app":"service-%1$d"},\
                "ports":[{"name":"http","port":80,"targetPort":8080}]}}""".formatted(service, isHeadless(service) ? "None" : clusterIp(service));
    }

    static String sliceJson(int service) {
        String name = "service-" + service;
        StringBuilder endpoints = new StringBuilder();
        for (int i = 0; i < ENDPOINTS; i++) {
            int pod = service * ENDPOINTS + i;
            endpoints.append(i == 0 ? "" : ",").append("""
                    {"addresses":["%s"],"conditions":{"ready":true,"serving":true,"terminating":false},%s"nodeName":"node-%d","zone":"zone-%d",\
                    "targetRef":{"kind":"Pod","namespace":"%s","name":"%s-7d4b9c-%05d","uid":"%08x-0000-4000-8000-000000000000"}}"""
                    .formatted(podAddress(pod), isHeadless(service) ? "\"hostname\":\"pod-" + i + "\"," : "", pod % 1000, pod % 3,
                            namespace(service), name, pod, pod));
        }
        return """
                {"metadata":{"name":"%1$s-abcde","labels":{"kubernetes.io/service-name":"%1$s",\
                "endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"},\
                "annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-11-16T04:30:00Z"}},\
                "addressType":"IPv4","ports":[{"name":"http","protocol":"TCP","port":8080}],"endpoints":[%2$s]}""".formatted(name, endpoints);
    }
}
