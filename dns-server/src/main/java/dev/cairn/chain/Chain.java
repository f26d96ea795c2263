package dev.cairn.chain;

import dev.cairn.wire.Rcode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plugins of one server block in their order. Immutable; the position of a query in it is kept by its {@link Exchange}. */
public final class Chain {
    private final Plugin[] plugins;
    private final @Nullable AnswerHook[] answerHooks;
    private final FinishHook[] finishHooks;
    private final int[] otherClasses;

    public Chain(List<? extends Plugin> inOrder) {
        plugins = inOrder.toArray(Plugin[]::new);
        answerHooks = new AnswerHook[plugins.length];
        for (int i = 0; i < plugins.length; i++) {
            answerHooks[i] = plugins[i] instanceof AnswerHook hook ? hook : null;
        }
        finishHooks = inOrder.stream().filter(FinishHook.class::isInstance).map(FinishHook.class::cast).toArray(FinishHook[]::new);
        otherClasses = inOrder.stream().flatMapToInt(plugin -> plugin.otherClasses().stream().mapToInt(i -> i)).toArray();
    }

    /** The plugins in the order they are asked. */
    public List<Plugin> plugins() {
        return List.of(plugins);
    }

    /**
     * Moves the exchange on from its position, down if {@code arrived} is {@link Step#NEXT} and up if it is {@link Step#ANSWERED}, until it
     * is answered and through all hooks, dropped, or kept by a plugin. After {@link Step#LATER} the exchange must not be touched.
     */
    Step run(Exchange exchange, Step arrived) {
        Step step = arrived;
        int at = exchange.position();
        if (arrived == Step.ANSWERED) {
            credit(exchange, at);
        } else if (arrived == Step.NEXT) {
            exchange.answeredBy(null);
        }
        boolean notify = exchange.query().isNotify();
        while (true) {
            switch (step) {
                case NEXT -> {
                    if (++at == plugins.length) {
                        step = notify ? exchange.refuse(Rcode.NOTIMP)
                                : exchange.fail(Rcode.SERVFAIL, "no plugin below answered; add one that does, such as forward or hosts");
                    } else if (!notify || plugins[at].takesNotify()) {
                        exchange.position(at);
                        step = plugins[at].query(exchange);
                        if (step == Step.ANSWERED) {
                            credit(exchange, at);
                        }
                    }
                }
                case ANSWERED -> {
                    at = hookAbove(at);
                    if (at <= exchange.ceiling()) {
                        return Step.ANSWERED;
                    }
                    exchange.position(at);
                    AnswerHook hook = answerHooks[at];
                    step = hook == null ? Step.ANSWERED : hook.answer(exchange);
                    if (step == Step.NEXT) {
                        exchange.answeredBy(null);
                    }
                }
                case LATER, DROPPED -> {
                    return step;
                }
            }
        }
    }

    /** Notes the plugin as the one that answered, unless it has said itself that another did. */
    private void credit(Exchange exchange, int at) {
        if (exchange.answeredBy() == null && at >= 0) {
            exchange.answeredBy(plugins[at]);
        }
    }

    /** Whether a plugin here answers questions of this class beside IN. */
    boolean answersClass(int dnsClass) {
        for (int other : otherClasses) {
            if (other == dnsClass) {
                return true;
            }
        }
        return false;
    }

    private int hookAbove(int at) {
        int above = at - 1;
        while (above >= 0 && answerHooks[above] == null) {
            above--;
        }
        return above;
    }

    /** Tells the lower ones first, as answers come up: a query's line in the log stands before the line about its error. */
    void finished(Exchange exchange) {
        for (int i = finishHooks.length - 1; i >= 0; i--) {
            finishHooks[i].finished(exchange);
        }
    }
}
