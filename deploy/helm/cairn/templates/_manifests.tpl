{{/*
The chart has no manifests of its own: it reads those of deploy/ (files/) by the kustomizations there, so that nothing is said twice.

cairn.manifests: the objects of kustomizations, as JSON: {"objects": [...]}. Takes "root", "directories" and, of those before, "objects".
Knows what is used there: resources, configMapGenerator, and patches that add to the end of a list or remove a field.
*/}}
{{- define "cairn.manifests" -}}
{{- $root := .root -}}
{{- $objects := .objects | default list -}}
{{- range $directory := .directories -}}
  {{- $kustomization := include "cairn.file" (dict "root" $root "path" (printf "%s/kustomization.yaml" $directory)) | fromYaml -}}
  {{- range $kustomization.resources -}}
    {{- $path := clean (printf "%s/%s" $directory .) -}}
    {{- if hasSuffix ".yaml" . -}}
      {{- range include "cairn.file" (dict "root" $root "path" $path) | splitList "\n---\n" -}}
        {{- $objects = append $objects (fromYaml .) -}}
      {{- end -}}
    {{- else -}}
      {{- $objects = (include "cairn.manifests" (dict "root" $root "directories" (list $path) "objects" $objects) | fromJson).objects -}}
    {{- end -}}
  {{- end -}}
  {{- range $kustomization.configMapGenerator -}}
    {{- $data := dict -}}
    {{- range .files -}}
      {{- $words := splitList "=" . -}}
      {{- $_ := set $data (first $words) (include "cairn.file" (dict "root" $root "path" (printf "%s/%s" $directory (last $words)))) -}}
    {{- end -}}
    {{- range .literals -}}
      {{- $_ := set $data (splitList "=" . | first) (splitList "=" . | last) -}}
    {{- end -}}
    {{- $metadata := dict "name" .name "namespace" .namespace "labels" (dig "options" "labels" dict .) -}}
    {{- $objects = append $objects (dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" $metadata "data" $data) -}}
  {{- end -}}
  {{- range $patch := $kustomization.patches -}}
    {{- range $objects -}}
      {{- if and (eq .kind $patch.target.kind) (eq .metadata.name $patch.target.name) -}}
        {{- include "cairn.patch" (dict "object" . "operations" (fromYamlArray $patch.patch)) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- dict "objects" $objects | toJson -}}
{{- end -}}

{{/* cairn.patch: changes "object" by the "operations" of a JSON patch. */}}
{{- define "cairn.patch" -}}
{{- range .operations -}}
  {{- $steps := splitList "/" (trimPrefix "/" .path) -}}
  {{- $adds := and (eq .op "add") (eq (last $steps) "-") -}}
  {{- if not (or $adds (eq .op "remove")) -}}
    {{- fail (printf "the chart does not know the operation %s %s of a kustomization" .op .path) -}}
  {{- end -}}
  {{- $steps = $adds | ternary (initial $steps) $steps -}}
  {{- $at := $.object -}}
  {{- range initial $steps -}}
    {{- if kindIs "slice" $at -}}
      {{- $at = index $at (int .) -}}
    {{- else -}}
      {{- $at = index $at . -}}
    {{- end -}}
  {{- end -}}
  {{- if $adds -}}
    {{- $_ := set $at (last $steps) (append (index $at (last $steps)) .value) -}}
  {{- else -}}
    {{- $_ := unset $at (last $steps) -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* cairn.file: the text of a file of deploy/. Takes "root" and "path". */}}
{{- define "cairn.file" -}}
{{- $text := .root.Files.Get (printf "files/%s" .path) -}}
{{- if not $text -}}
  {{- fail (printf "the chart lacks files/%s" .path) -}}
{{- end -}}
{{- $text -}}
{{- end -}}
