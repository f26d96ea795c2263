package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left out of fabric8 in build.gradle; the other tests show that it is not missed. */
class ClientJarsTest {
    @ParameterizedTest
    @ValueSource(strings = {
        "io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice",
        "io.fabric8.kubernetes.api.model.apps.Deployment",
        "io.fabric8.kubernetes.client.impl.KubernetesClientImpl",
        "io.vertx.core.Vertx",
        "okhttp3.OkHttpClient",
    })
    void large_parts_that_nothing_here_uses_are_absent(String type) {
        assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void a_backend_for_the_log_of_fabric8_is_present() throws Exception {
        Object factory = Class.forName("org.slf4j.LoggerFactory").getMethod("getILoggerFactory").invoke(null);
        assertThat(factory.getClass().getName()).isEqualTo("org.slf4j.helpers.NOPLoggerFactory");
    }
}
