package dev.cairn.plugin.any;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class AnyTest {
    @Test
    void answersAnyWithHinfo() throws Exception {
        try (TestServer server = TestServer.start(". {\n any\n whoami\n}")) {
            Message reply = server.ask("Example.org", Type.ANY);
            assertThat(TestServer.answers(reply)).singleElement().asString()
                    .isEqualToIgnoringCase("example.org. 8482 IN HINFO \"ANY obsoleted\" \"See RFC 8482\"");
            assertThat(TestServer.rows(reply, Section.ADDITIONAL)).isEmpty();
            assertThat(reply.getHeader().getFlag(Flags.AA)).isFalse();
        }
    }

    @Test
    void leavesOtherTypesToThePluginsBelow() throws Exception {
        try (TestServer server = TestServer.start(". {\n any\n whoami\n}")) {
            Message reply = server.ask("example.org", Type.HINFO);
            assertThat(TestServer.answers(reply)).isEmpty();
            assertThat(TestServer.rows(reply, Section.ADDITIONAL)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"any thing", "any {\n thing\n }"})
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1);
    }
}
