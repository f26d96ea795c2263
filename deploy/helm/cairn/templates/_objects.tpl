{{/*
cairn.objects: kustomizations with values in them, as YAML. Takes "root", "directories", and
  "part"     the values of the part that is run: what its pods have otherwise
  "data"     what stands in ConfigMaps in the place of what files say, by key
  "without"  kinds to leave out
*/}}
{{- define "cairn.objects" -}}
{{- $values := .root.Values -}}
{{- $json := include "cairn.manifests" (dict "root" .root "directories" .directories) -}}
{{- $local := $values.nodeCache.localIP -}}
{{- $host := contains ":" $local | ternary (printf "[%s]" $local) $local -}}
{{- if not $values.nodeCache.atClusterIP -}}
  {{- $json = replace "169.254.20.10,10.96.0.10" "169.254.20.10" $json -}}
{{- end -}}
{{- $json = $json | replace "169.254.20.10:" (printf "%s:" $host) | replace "169.254.20.10" $local -}}
{{- $json = $json | replace "10.96.0.10" $values.clusterIP | replace "10.244.0.0/16" $values.clusterCIDR | replace "cluster.local" $values.clusterDomain -}}
{{- $objects := (fromJson $json).objects -}}
{{- $restart := list -}}
{{- range $objects -}}
  {{- if eq .kind "ConfigMap" -}}
    {{- include "cairn.data" (dict "object" . "data" $.data) -}}
    {{- if not (or (hasKey .data "Corefile") (hasKey .data "Corefile.base")) -}}
      {{- $restart = append $restart .data -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- range $objects }}
  {{- if not (has .kind ($.without | default list)) }}
    {{- include "cairn.metadata" (dict "root" $.root "object" .) }}
    {{- include "cairn.fields" (dict "values" $values "object" .) }}
    {{- if has .kind (list "Deployment" "DaemonSet") }}
      {{- include "cairn.pod" (dict "root" $.root "template" .spec.template "part" $.part "restart" $restart) }}
    {{- end }}
---
{{ toYaml . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* cairn.data: puts "data" into a ConfigMap, where it has such a key; a map is added to what the file says. */}}
{{- define "cairn.data" -}}
{{- range $key, $text := .data -}}
  {{- if and $text (hasKey $.object.data $key) -}}
    {{- if kindIs "map" $text -}}
      {{- $text = mergeOverwrite (index $.object.data $key | fromYaml) $text | toYaml -}}
    {{- end -}}
    {{- $_ := set $.object.data $key (toString $text) -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* cairn.metadata: the namespace and labels of the release. Selectors stay, by which this takes the place of what is there. */}}
{{- define "cairn.metadata" -}}
{{- $namespace := .root.Release.Namespace -}}
{{- if .object.metadata.namespace -}}
  {{- $_ := set .object.metadata "namespace" $namespace -}}
{{- end -}}
{{- range .object.subjects -}}
  {{- $_ := set . "namespace" $namespace -}}
{{- end -}}
{{- $spec := .object.spec | default dict -}}
{{- if and (hasKey $spec "namespaceSelector") (ne (index $spec.selector.matchLabels "k8s-app") "kube-proxy") -}}
  {{- $_ := set $spec.namespaceSelector "matchNames" (list $namespace) -}}
{{- end -}}
{{- $labels := dict "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_") -}}
{{- $_ := set $labels "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $labels "app.kubernetes.io/instance" .root.Release.Name -}}
{{- $_ := set $labels "app.kubernetes.io/part-of" .root.Chart.Name -}}
{{- $_ := set $labels "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- $_ := set .object.metadata "labels" (merge (.object.metadata.labels | default dict) $labels) -}}
{{- end -}}

{{/* cairn.fields: what values say of objects other than pods. */}}
{{- define "cairn.fields" -}}
{{- $values := .values -}}
{{- with .object -}}
{{- if and (eq .kind "Deployment") (hasKey .spec "replicas") -}}
  {{- $_ := set .spec "replicas" $values.dns.replicas -}}
{{- else if eq .kind "HorizontalPodAutoscaler" -}}
  {{- $_ := set .spec "minReplicas" $values.autoscaling.minReplicas -}}
  {{- $_ := set .spec "maxReplicas" $values.autoscaling.maxReplicas -}}
  {{- $_ := set (first .spec.metrics).resource.target "averageUtilization" $values.autoscaling.targetCPUUtilizationPercentage -}}
{{- else if eq .kind "NetworkPolicy" -}}
  {{- $_ := set .spec "ingress" (concat .spec.ingress $values.networkPolicy.extraIngress) -}}
  {{- $_ := set .spec "egress" (concat .spec.egress $values.networkPolicy.extraEgress) -}}
{{- else if and (eq .kind "ClusterRoleBinding") $values.node.enabled -}}
  {{- $_ := set (first .subjects) "name" "cairn-node" -}}
{{- else if hasPrefix "monitoring.coreos.com/" .apiVersion -}}
  {{- $_ := set .metadata "labels" (mergeOverwrite .metadata.labels $values.monitoring.labels) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
cairn.pod: what the pods of a "part" have otherwise. Changes of what is in "restart" make them anew, as with kustomize, where ConfigMaps
have other names then; a Corefile is taken up by the reload plugin.
*/}}
{{- define "cairn.pod" -}}
{{- $part := .part -}}
{{- $image := .root.Values.image -}}
{{- $pod := .template.spec -}}
{{- range concat ($pod.initContainers | default list) $pod.containers -}}
  {{- $name := index $image.repositories .image -}}
  {{- if $image.registry -}}
    {{- $name = printf "%s/%s" $image.registry $name -}}
  {{- end -}}
  {{- $_ := set . "image" (printf "%s:%s" $name ($image.tag | default $.root.Chart.AppVersion)) -}}
  {{- $_ := set . "imagePullPolicy" $image.pullPolicy -}}
{{- end -}}
{{- range $pod.containers -}}
  {{- $_ := set . "resources" (mergeOverwrite .resources $part.resources) -}}
  {{- $_ := set . "args" (concat .args $part.extraArgs) -}}
  {{- with concat (.env | default list) $part.extraEnv -}}
    {{- $_ := set (first $pod.containers) "env" . -}}
  {{- end -}}
{{- end -}}
{{- with $image.pullSecrets -}}
  {{- $_ := set $pod "imagePullSecrets" . -}}
{{- end -}}
{{- $_ := set $pod "nodeSelector" (mergeOverwrite $pod.nodeSelector $part.nodeSelector) -}}
{{- range $field := list "tolerations" "affinity" "topologySpreadConstraints" "priorityClassName" -}}
  {{- if hasKey $part $field -}}
    {{- $_ := set $pod $field (index $part $field) -}}
  {{- end -}}
{{- end -}}
{{- $_ := set .template.metadata "labels" (merge .template.metadata.labels $part.podLabels) -}}
{{- $annotations := deepCopy $part.podAnnotations -}}
{{- with .restart -}}
  {{- $_ := set $annotations "checksum/config" (toJson . | sha256sum) -}}
{{- end -}}
{{- with $annotations -}}
  {{- $_ := set $.template.metadata "annotations" . -}}
{{- end -}}
{{- end -}}
