#!/usr/bin/env node
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile-cache.ts'

/** The file name of the bundled program beside this file, set by `.ci/bundle.mjs`. It changes with the program's content. */
declare const SCRIPT: string

/** By then a server has started, and V8 still holds the code compiled for the start. */
const SETTLED_MS = 3000
const BAD_USAGE = 2

const file = fileURLToPath(new URL(SCRIPT, import.meta.url))
const program = compile(file, cacheFolder(), cacheKey(process.argv[2]))
setTimeout(program.save, SETTLED_MS).unref()
if (!program.cached) process.once('exit', (code) => code === BAD_USAGE || program.save())
const module: { readonly exports: { readonly main?: () => void } } = { exports: {} }
program.run(module.exports, createRequire(import.meta.url), module, file, dirname(file))
module.exports.main?.()

/** The folder of the compile cache, or undefined when it is off. Uses the environment variables of Node's own module cache. */
function cacheFolder(): string | undefined {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined
  return NODE_COMPILE_CACHE ? join(NODE_COMPILE_CACHE, 'backlot') : join(dirname(file), 'compiled')
}

/** The cache key: each command compiles other parts of the program. */
function cacheKey(command = ''): string {
  return /^[a-z-]+$/.test(command) ? command : '--help'
}
