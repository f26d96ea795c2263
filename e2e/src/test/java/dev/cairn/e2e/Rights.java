package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What manifests let a service account of {@code kube-system} do, each verb on each resource by itself: {@code GROUP/RESOURCE VERB}. */
record Rights(List<Object> rules) {
    /** Those of an account, by the bindings and roles among some objects. */
    static Rights of(List<Map<String, Object>> objects, String account) {
        return new Rights(objects.stream().filter(object -> object.get("kind").equals("ClusterRoleBinding"))
                .filter(binding -> ImageFiles.list(binding.get("subjects"))
                        .contains(Map.of("kind", "ServiceAccount", "name", account, "namespace", "kube-system")))
                .map(binding -> DeployTest.at(binding, "roleRef.name"))
                .flatMap(name -> roles(objects).filter(role -> DeployTest.at(role, "metadata.name").equals(name)))
                .flatMap(role -> ImageFiles.list(role.get("rules")).stream())
                .toList());
    }

    /** The roles among some objects. Roles of a namespace would be counted nowhere here, and there are none. */
    static Stream<Map<String, Object>> roles(List<Map<String, Object>> objects) {
        assertThat(objects).noneMatch(object -> object.get("kind").equals("Role") || object.get("kind").equals("RoleBinding"));
        return objects.stream().filter(object -> object.get("kind").equals("ClusterRole"));
    }

    /** Each right by itself. */
    Set<String> each() {
        Set<String> rights = new TreeSet<>();
        for (Object rule : rules) {
            assertThat(ImageFiles.map(rule)).containsOnlyKeys("apiGroups", "resources", "verbs");
            for (Object group : ImageFiles.list(DeployTest.at(rule, "apiGroups"))) {
                for (Object resource : ImageFiles.list(DeployTest.at(rule, "resources"))) {
                    ImageFiles.list(DeployTest.at(rule, "verbs")).forEach(verb -> rights.add(group + "/" + resource + " " + verb));
                }
            }
        }
        return rights;
    }

    /** Creates an account with these rights, of which nobody but the caller knows, so that all its requests are the caller's. */
    void giveTo(String account, KubeApi api) throws IOException {
        api.create("{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + account + ", namespace: kube-system}}");
        api.create(Map.of("apiVersion", "rbac.authorization.k8s.io/v1", "kind", "ClusterRole", "metadata", Map.of("name", account),
                "rules", rules));
        api.create("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
                subjects: [{kind: ServiceAccount, name: %1$s, namespace: kube-system}]
                """.formatted(account));
    }
}
