#!/usr/bin/env node
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile-cache.ts'

/** What `.ci/bundle.mjs` named the program, which lies beside this file; the name changes with its text. */
declare const SCRIPT: string

/** A server has settled by then, and what it needed at its start is still compiled. */
const SETTLED_MS = 3000
const BAD_USAGE = 2

const file = fileURLToPath(new URL(SCRIPT, import.meta.url))
const program = compile(file, folderOfCompiled(), wordOf(process.argv[2]))
setTimeout(program.keep, SETTLED_MS).unref()
if (!program.known) process.once('exit', (code) => code === BAD_USAGE || program.keep())
const module: { readonly exports: { readonly main?: () => void } } = { exports: {} }
program.run(module.exports, createRequire(import.meta.url), module, file, dirname(file))
module.exports.main?.()

/** Where compiled code is kept, undefined for nowhere; the variables are those of Node's own cache of modules. */
function folderOfCompiled(): string | undefined {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (NODE_DISABLE_COMPILE_CACHE === '1') return undefined
  return NODE_COMPILE_CACHE ? join(NODE_COMPILE_CACHE, 'backlot') : join(dirname(file), 'compiled')
}

/** Each command needs other parts of the program. */
function wordOf(command = ''): string {
  return /^[a-z-]+$/.test(command) ? command : '--help'
}
