{{/* cairn.checks: ends with all that is wrong with the values taken together; by themselves values.schema.json has checked them. */}}
{{- define "cairn.checks" -}}
{{- $v := .Values -}}
{{- $wrong := list -}}
{{- if not (or $v.dns.enabled $v.nodeCache.enabled $v.proxy.enabled $v.node.enabled $v.monitoring.enabled) -}}
  {{- $wrong = append $wrong "nothing is enabled: set dns.enabled, nodeCache.enabled, proxy.enabled, node.enabled or monitoring.enabled to true" -}}
{{- end -}}
{{- if $v.node.enabled -}}
  {{- range list "dns" "nodeCache" "proxy" -}}
    {{- if (index $v .).enabled -}}
      {{- $wrong = append $wrong (printf "node.enabled serves names and Services from one process for each node, in the place of %s: set %s.enabled to false" . .) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if and (or $v.proxy.enabled $v.node.enabled) (not $v.apiServer.host) -}}
  {{- $wrong = append $wrong "apiServer.host is not set: the address or name of the API server, which has to be found without the cluster's own Services" -}}
{{- end -}}
{{- if and $v.proxy.enabled (eq $v.proxy.mode "ipvs") $v.nodeCache.enabled $v.nodeCache.atClusterIP -}}
  {{- $wrong = append $wrong "with proxy.mode ipvs the kernel has the cluster's address of kube-dns for itself: set nodeCache.atClusterIP to false, and clusterDNS of kubelets to nodeCache.localIP" -}}
{{- end -}}
{{- range list "autoscaling" "networkPolicy" -}}
  {{- if and (index $v .).enabled (not $v.dns.enabled) -}}
    {{- $wrong = append $wrong (printf "%s.enabled is for the pods of dns: set dns.enabled to true, or %s.enabled to false" . .) -}}
  {{- end -}}
{{- end -}}
{{- if gt (int $v.autoscaling.minReplicas) (int $v.autoscaling.maxReplicas) -}}
  {{- $wrong = append $wrong "autoscaling.minReplicas is more than autoscaling.maxReplicas" -}}
{{- end -}}
{{- range $right, $set := $v.rights -}}
  {{- if and $set (not (or $v.dns.enabled $v.node.enabled)) -}}
    {{- $wrong = append $wrong (printf "rights.%s is for dns or node, of which none is enabled" $right) -}}
  {{- end -}}
{{- end -}}
{{- with $wrong -}}
  {{- printf "\n\n%s\n" (join "\n" .) | fail -}}
{{- end -}}
{{- end -}}
