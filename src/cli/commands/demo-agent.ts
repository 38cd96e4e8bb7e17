import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'
import { AGENT_PROTOCOLS } from '../../protocols/registry.ts'

const REQUEST = 'Please log in as alice.'

/** A client of one protocol. */
interface Demo {
  /** The protocol and its URL, for the first line of the output. */
  readonly title: string
  readonly ask: () => Promise<string>
}

/** Runs the scripted agent over every protocol that has a demo, at once, each on its own desktop. */
export async function demoAgent(): Promise<boolean> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'backlot-demo-'))
  const testbed = await createTestbed({ scenario: 'login', ownDesktops: true, dataFolder })
  try {
    const demos = await openDemos(testbed)
    print(`${demos.map(({ title }) => title).join(', ')}\n`)
    const answers = await Promise.all(demos.map(({ ask }) => ask()))
    const passed = answers.every((answer) => answer.includes('I am logged in'))
    print(passed ? '\nAll agents asked for permission and logged in.' : '\nSome agents did NOT log in.')
    return passed
  } finally {
    await testbed.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function openDemos(testbed: Testbed): Promise<readonly Demo[]> {
  const demos: Demo[] = []
  for (const { name, demo } of AGENT_PROTOCOLS) {
    if (!demo) continue
    const client = await demo.load()
    const { url } = await testbed.serveBackend(name, { port: 0 })
    const report = (event: string, text: string) => print(`  ${demo.transport.padEnd(9)} ${event.padEnd(11)} ${text}`)
    demos.push({ title: `${name} (${demo.transport}) on ${url}`, ask: () => client(url, REQUEST, report) })
  }
  return demos
}

const print = (line: string) => process.stdout.write(`${line}\n`)
