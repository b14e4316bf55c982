#!/bin/sh
# a template: {{ .Values.x }} {{{
echo "${HOME}"
