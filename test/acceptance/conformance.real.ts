import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProfile } from '../../conformance/profile.ts'
import { certify } from '../../conformance/run.ts'
import { markOf } from '../../conformance/suite/results.ts'
import { Config } from '../../src/compose/config.ts'
import { createTestbed } from '../../src/compose/testbed.ts'
import { countNodes } from '../../src/desktop/model/element.ts'
import { BUNDLED_PROGRAM } from '../support/cli/bundled-program.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  waitUntil,
} from '../support/linux/test-desktop.ts'

// The conformance suite against a real desktop, as a user runs it.

const PROFILE = 'conformance/profiles/real-desktop.yaml'
const BASELINE = 'conformance/profiles/real-desktop-baseline.yaml'
const REPORTS = 'reports/certify-real'

let folder: string
const closers: (() => unknown)[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-real-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
})
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const TITLES: Readonly<Record<string, readonly string[]>> = {
  desk: ['Desk', 'Notes', 'Under the desk'],
  other: ['Other'],
}

/** Shows the desktop, and listens for requests to reset it. */
async function setStage({ desktop, computer }: LinuxTestDesktop): Promise<string> {
  const desk = desktop.startWithPipes(PYTHON, '-u', fixturePath('gtk-desk.py'))
  const lines = createInterface({ input: desk.stdout! })
  await once(lines, 'line')
  const isThere = async (titles: readonly string[]) => {
    const windows = await computer.windows()
    const shown = windows.map(({ title }) => title)
    if (shown.toSorted().join() !== titles.join() || shown[0] !== titles[0] || !windows[0]!.focused) return false
    const trees = await Promise.all(
      windows.map(({ uid }) => Promise.resolve(computer.tree(uid)).catch(() => undefined)),
    )
    return trees.every((tree) => tree && countNodes(tree) > 1)
  }
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const piece of request) body += piece
    const { scenario } = JSON.parse(body) as { scenario: string }
    const titles = TITLES[scenario]
    if (!titles) return void reply.writeHead(501).end(`only ${Object.keys(TITLES)} are shown here`)
    desk.stdin!.write(`${scenario}\n`)
    await once(lines, 'line')
    await waitUntil(`${scenario} is on the screen`, () => isThere(titles))
    reply.writeHead(200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

it('a real desktop conforms, except for features of synthetic desktops', async () => {
  const testDesktop = await startTestDesktop()
  closers.push(testDesktop.close)
  const stage = await setStage(testDesktop)
  const testbed = await createTestbed({
    config: Config.parse({ tracing: { dir: folder } }),
    adapter: 'linux',
    env: testDesktop.desktop.env,
    dataFolder: folder,
  })
  closers.push(testbed.close)
  const { url } = await testbed.serveRest({ port: 0 })
  const { DISPLAY, DBUS_SESSION_BUS_ADDRESS } = testDesktop.desktop.env
  const env = `env DISPLAY=${DISPLAY} DBUS_SESSION_BUS_ADDRESS=${DBUS_SESSION_BUS_ADDRESS} XDG_SESSION_TYPE=x11`
  const profile = readProfile(
    readFileSync(PROFILE, 'utf8').replace('http://127.0.0.1:5999/', stage),
    'observer',
    PROFILE,
  )
  const program = `${env} node ${BUNDLED_PROGRAM}`
  const command = `${program} serve --mode mcp --adapter linux`
  const given = { url, command, program, profile, baseline: BASELINE, report: REPORTS }
  const outcome = await certify({ protocol: 'observer', ...given })
  const wrong = outcome.results.filter((verdict) => ['failed', 'harness'].includes(markOf(verdict)))
  expect(wrong.map(({ id, why }) => `${id}: ${why}`)).toEqual([])
  expect(outcome.conclusion).toMatchObject({ passed: true, stale: [] })
}, 600_000)
