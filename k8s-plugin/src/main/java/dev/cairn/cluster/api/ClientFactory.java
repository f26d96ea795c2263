package dev.cairn.cluster.api;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes fabric8's client over that of the JDK, and holds on to the latter: fabric8 only ends the executor, which leaves connections and the
 * selector thread to the garbage collector.
 */
final class ClientFactory extends JdkHttpClientFactory {
    private final ExecutorService executor;
    private volatile @Nullable HttpClient client;

    ClientFactory() {
        executor = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "api-http");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        HttpClient.Builder real = HttpClient.newBuilder().executor(executor);
        return (HttpClient.Builder) Proxy.newProxyInstance(
                HttpClient.class.getClassLoader(), new Class<?>[] {HttpClient.Builder.class}, (proxy, method, arguments) -> {
                    Object result = call(real, method, arguments);
                    if (result instanceof HttpClient built) {
                        client = built;
                    }
                    return result instanceof HttpClient.Builder ? proxy : result;
                });
    }

    private static Object call(HttpClient.Builder real, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    protected void closeHttpClient(JdkHttpClientImpl closed) {
        end();
    }

    /** Lets open watches go on, and ends when the last has. */
    void retire() {
        HttpClient built = client;
        if (built != null) {
            built.shutdown();
        }
    }

    /** Whether nothing is left of it. */
    boolean hasEnded() {
        HttpClient built = client;
        boolean ended = built == null || built.isTerminated();
        if (ended) {
            executor.shutdown();
        }
        return ended;
    }

    /** Cuts all connections. */
    void end() {
        HttpClient built = client;
        if (built != null) {
            built.shutdownNow();
        }
        executor.shutdown();
    }
}
