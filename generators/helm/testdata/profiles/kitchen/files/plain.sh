#!/bin/sh
echo "${HOME}"
