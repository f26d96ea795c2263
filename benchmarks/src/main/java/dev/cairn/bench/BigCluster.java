package dev.cairn.bench;

import dev.cairn.e2e.KubeApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The objects of a large cluster: services in 100 namespaces, every tenth headless, ten endpoints each unless told otherwise. */
final class BigCluster {
    static final int ENDPOINTS = 10;
    static final String ZONE = "cluster.local";

    private static final int NAMESPACES = 100;
    private static final int WRITERS = 24;

    private BigCluster() {}

    static boolean isHeadless(int service) {
        return service % 10 == 9;
    }

    /** Without the last dot. */
    static String name(int service) {
        return "service-" + service + "." + namespace(service) + ".svc." + ZONE;
    }

    private static String namespace(int service) {
        return "ns-" + service % NAMESPACES;
    }

    private static String clusterIp(int service) {
        return "10.96." + (1 + service / 250) + "." + (1 + service % 250);
    }

    static String endpoint(int service, int i) {
        return podAddress(service * ENDPOINTS + i);
    }

    private static String podAddress(int pod) {
        return "10." + (128 + (pod >> 16)) + "." + (pod >> 8 & 255) + "." + (pod & 255);
    }

    static String slicePath(int service) {
        return "/apis/discovery.k8s.io/v1/namespaces/" + namespace(service) + "/endpointslices/service-" + service + "-abcde";
    }

    /** The same names as records of a zone file, relative to the zone. */
    static String zoneFile(int services) {
        StringBuilder zone = new StringBuilder();
        for (int i = 0; i < services; i++) {
            String owner = name(i).substring(0, name(i).length() - ZONE.length() - 1) + " 30 A ";
            for (int e = 0; e < (isHeadless(i) ? ENDPOINTS : 1); e++) {
                zone.append(owner).append(isHeadless(i) ? endpoint(i, e) : clusterIp(i)).append('\n');
            }
        }
        return zone.toString();
    }

    /** Writes everything, by several threads. */
    static void write(KubeApi api, int services) throws IOException, InterruptedException {
        write(api, services, ENDPOINTS);
    }

    static void write(KubeApi api, int services, int endpointsEach) throws IOException, InterruptedException {
        for (int i = 0; i < NAMESPACES; i++) {
            api.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"ns-" + i + "\"}}");
        }
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            int step = 1000;
            for (int from = 0; from < services; from += step) {
                List<Future<?>> written = new ArrayList<>();
                for (int i = from; i < Math.min(services, from + step); i++) {
                    int service = i;
                    written.add(writers.submit(() -> {
                        writeService(api, service, endpointsEach);
                        return null;
                    }));
                }
                for (Future<?> one : written) {
                    one.get();
                }
                System.out.println("written " + Math.min(services, from + step) + " of " + services + " services with their endpoints");
            }
        } catch (ExecutionException e) {
            throw new IOException("cannot write the cluster", e);
        }
    }

    private static void writeService(KubeApi api, int service, int endpointsEach) throws IOException {
        String name = "service-" + service;
        api.post("/api/v1/namespaces/" + namespace(service) + "/services", """
                {"metadata":{"name":"%1$s","labels":{"app":"%1$s"}},"spec":{"clusterIP":"%2$s","selector":{"app":"%1$s"},\
                "ports":[{"name":"http","port":80,"targetPort":8080}]}}""".formatted(name, isHeadless(service) ? "None" : clusterIp(service)));
        StringBuilder endpoints = new StringBuilder();
        for (int i = 0; i < endpointsEach; i++) {
            int pod = service * endpointsEach + i;
            endpoints.append(i == 0 ? "" : ",").append("""
                    {"addresses":["%s"],"conditions":{"ready":true,"serving":true,"terminating":false},%s"nodeName":"node-%d","zone":"zone-%d",\
                    "targetRef":{"kind":"Pod","namespace":"%s","name":"%s-7d4b9c-%05d","uid":"%08x-0000-4000-8000-000000000000"}}"""
                    .formatted(podAddress(pod), isHeadless(service) ? "\"hostname\":\"pod-" + i + "\"," : "", pod % 1000, pod % 3,
                            namespace(service), name, pod, pod));
        }
        api.post("/apis/discovery.k8s.io/v1/namespaces/" + namespace(service) + "/endpointslices", """
                {"metadata":{"name":"%1$s-abcde","labels":{"kubernetes.io/service-name":"%1$s",\
                "endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"},\
                "annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-11-16T04:30:00Z"}},\
                "addressType":"IPv4","ports":[{"name":"http","protocol":"TCP","port":8080}],"endpoints":[%2$s]}""".formatted(name, endpoints));
    }
}
