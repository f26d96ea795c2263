package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** Run inside the virtual machine, by {@code ./gradlew :proxy-companion:ipvsLoad}: how long changes take with many services. Not a test. */
public final class IpvsLoad {
    private static final int ENDPOINTS = 3;
    private static final IpvsOptions OPTIONS =
            new IpvsOptions("rr", List.of(), false, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(15), 14);

    private final ClusterModel model = new ClusterModel(new NodeView("node", "", List.of(), List.of(), List.of()), _ -> {});
    private Backend backend = backend();

    private IpvsLoad() {}

    public static void main(String[] args) throws ApplyFailure {
        new IpvsLoad().run(args.length > 0 ? Integer.parseInt(args[0]) : 20_000);
    }

    private static Backend backend() {
        return IpvsBackend.of(Set.of(IpFamily.IPV4), OPTIONS);
    }

    private void run(int services) throws ApplyFailure {
        for (int i = 0; i < services; i++) {
            service(i);
            endpoints(i, 0, "other");
        }
        System.out.println(services + " services with " + ENDPOINTS + " endpoints each");
        one("first load", () -> {});
        one("nothing changed", () -> {});
        backend.close();
        backend = backend();
        one("adopted by a new process", () -> {});
        look(100);
        many("an endpoint changes", 300, i -> endpoints(i * 37 % services, 1 + i / services, "other"));
        many("an endpoint of this node changes", 30, i -> endpoints(i * 41 % services, 7, "node"));
        many("a service comes or goes", 60, i -> {
            if (i % 2 == 0) {
                service(services + i);
            } else {
                model.remove(Resource.SERVICES, "ns", "s" + (services + i - 1));
            }
        });
        backend.close();
    }

    /** What is looked at each second. */
    private void look(int count) throws ApplyFailure {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        backend.isDisturbed();
        long begun = threads.getCurrentThreadCpuTime();
        int found = 0;
        for (int i = 0; i < count; i++) {
            found += backend.isDisturbed() ? 1 : 0;
        }
        System.out.printf("%-34s %9.2f ms of processor time, of %d; disturbed: %d%n", "a look",
                (threads.getCurrentThreadCpuTime() - begun) / 1e6 / count, count, found);
    }

    private static Address address(int a, int b, int number) {
        return Address.of(new byte[] {(byte) a, (byte) (b + (number >> 16)), (byte) (number >> 8), (byte) number});
    }

    private void service(int i) {
        model.put(new ServiceFact("ns", "s" + i, ServiceFact.Kind.CLUSTER_IP, List.of(address(10, 96, i)), List.of(new PortFact("p", Protocol.TCP, 80)), "",
                List.of(), List.of(), List.of(), TrafficFact.PLAIN));
    }

    /** The first of them is another with each version. */
    private void endpoints(int i, int version, String node) {
        List<EndpointFact> facts = new ArrayList<>();
        for (int j = 0; j < ENDPOINTS; j++) {
            facts.add(new EndpointFact(address(10, 128 + j, j == 0 ? i + (version << 15) : i), true, "", "", node, "", true, false, EndpointHints.NONE));
        }
        model.put(new SliceFact("ns", "s" + i + "-1", "s" + i, "", List.of(new PortFact("p", Protocol.TCP, 8080)), facts, 0));
    }

    private double apply(Runnable change) throws ApplyFailure {
        long begun = System.nanoTime();
        change.run();
        backend.apply(new Backend.Desired(model.plans(), model.node(),
                new TrafficOptions(false, LocalDetector.none(), NodePortAddresses.ALL, List.of(), false, false)), model.replan());
        return (System.nanoTime() - begun) / 1e6;
    }

    private void one(String name, Runnable change) throws ApplyFailure {
        System.out.printf("%-34s %9.1f ms%n", name, apply(change));
    }

    private void many(String name, int count, IntConsumer change) throws ApplyFailure {
        double[] millis = new double[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            millis[i] = apply(() -> change.accept(number));
        }
        Arrays.sort(millis);
        System.out.printf("%-34s %9.2f ms median, %.2f ms p90, %.2f ms most, of %d%n", name, millis[count / 2], millis[count * 9 / 10], millis[count - 1], count);
    }
}
