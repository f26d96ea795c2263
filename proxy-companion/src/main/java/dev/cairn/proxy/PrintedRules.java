package dev.cairn.proxy;

import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;

/** Prints all that a backend would program, whenever that has changed, and touches nothing. */
final class PrintedRules implements Backend {
    private final Backend backend;
    private final PrintWriter out;
    private String printed = "";

    PrintedRules(Backend backend, PrintWriter out) {
        this.backend = backend;
        this.out = out;
    }

    @Override
    public void apply(Desired desired, Set<ServiceName> changed) {
        String rules = backend.render(desired);
        if (!rules.equals(printed)) {
            out.print(rules);
            out.flush();
            printed = rules;
        }
    }

    @Override
    public String render(Desired desired) {
        return backend.render(desired);
    }

    @Override
    public Audit audit(Desired desired) {
        return Audit.CLEAN;
    }

    @Override
    public List<String> cleanUp() {
        return List.of();
    }

    /** There are no flows of what is only printed. */
    @Override
    public boolean cleansFlows() {
        return true;
    }

    @Override
    public void close() {
        backend.close();
    }
}
