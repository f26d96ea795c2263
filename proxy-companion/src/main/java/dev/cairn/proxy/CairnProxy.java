package dev.cairn.proxy;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code cairn-proxy} command: for now only its name, its help and an honest refusal. */
@Command(
        name = "cairn-proxy",
        mixinStandardHelpOptions = true,
        version = "cairn-proxy (no backend yet)",
        description = "Will program Service addresses into the kernel (nftables, IPVS, iptables). This version has no backend.")
public final class CairnProxy implements Callable<Integer> {
    private static final int FAILURE = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private CairnProxy() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new CairnProxy()).execute(args));
    }

    @Override
    public Integer call() {
        spec.commandLine().getErr().println("cairn-proxy: this version programs no rules yet; keep kube-proxy running");
        return FAILURE;
    }
}
