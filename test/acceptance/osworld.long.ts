import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { createTestbed } from '../../src/compose/testbed.ts'
import { call } from '../../src/observer/call.ts'
import type { DesktopSession } from '../../src/observer/session/session.ts'
import { installPackages } from '../support/linux/install-packages.ts'

// Rules such as [OS20] are stated in src/protocols/osworld/README.md. The client is fixtures/osworld/client.py.

const PYTHON = '/usr/bin/python3'
const CLIENT = fileURLToPath(new URL('../../fixtures/osworld/client.py', import.meta.url))
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Installs what the client needs, on Debian. */
async function requirePython(): Promise<void> {
  try {
    execFileSync(PYTHON, ['-c', 'import requests, lxml'], { stdio: 'ignore' })
  } catch {
    await installPackages(['python3', 'python3-requests', 'python3-lxml'])
  }
}

const open = (file: string) =>
  createTestbed({ scenario: read(file), env: {}, config: { logging: { audit: false } }, report: () => {} })

/** The final state: trees of the windows, and the screen with the pointer out of the way. */
async function stateOf(session: DesktopSession) {
  const use = async (tool: string, args: object = {}) => (await call(session, tool, args)).body
  await use('move_pointer', { x: 1279, y: 1 })
  const { windows } = (await use('list_windows')) as { windows: readonly { window_uid: string }[] }
  const hashes = []
  for (const { window_uid } of windows)
    hashes.push([window_uid, (await use('get_window_structure', { window_uid })).tree_hash])
  const { reward } = await use('session_info')
  return { reward, hashes, data: (await use('capture_screen')).data }
}

it.each([
  ['login', 'scenarios/login.yaml'],
  ['input', 'fixtures/input.yaml'],
])('[OS20] a client in Python solves %s with the state of the solution', async (name, file) => {
  await requirePython()
  await using solved = await open(file)
  for (const step of parse(read(file)).solution as readonly { call: string; with?: object }[]) {
    const args = JSON.parse(JSON.stringify(step.with ?? {}).replaceAll('{{ user }}', 'alice'))
    expect((await call(solved.session, step.call, args)).fault).toBe(undefined)
  }
  await using played = await open(file)
  const { url } = await played.serveProtocol('osworld', { port: 0 })
  const { stdout } = await promisify(execFile)(PYTHON, [CLIENT, url, name])
  expect(stdout).toBe('solved\n')
  const wanted = await stateOf(solved.session)
  const actual = await stateOf(played.session)
  expect(wanted.reward).toBe(1)
  expect(wanted.hashes.every(([, hash]) => typeof hash === 'string')).toBe(true)
  expect({ ...actual, data: actual.data === wanted.data }).toEqual({ ...wanted, data: true })
})
