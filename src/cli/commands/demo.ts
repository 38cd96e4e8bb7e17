import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { Config } from '../../compose/config.ts'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'
import type { VariantChoices } from '../../compose/variants.ts'
import { AGENT_PROTOCOLS } from '../../protocols/registry.ts'
import { UserError } from '../arguments.ts'
import { chosenVariant, styleOption } from '../variant-flags.ts'

type Reply = Record<string, unknown>

const REPORTS = resolve('reports', 'demo')

/** `backlot demo`: an agent logs in on a synthetic desktop, over HTTP step by step, or as a scripted agent over its protocols. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('Watch an agent log in on a synthetic desktop.')
    .addArgument(
      new Argument('[what]', 'login: a client that calls REST; agent: a scripted agent over several protocols at once')
        .choices(['login', 'agent'])
        .default('login'),
    )
    .addOption(styleOption())
    .action(async (what: 'login' | 'agent', flags: { readonly style?: string }) => {
      if (what === 'login') return demo(chosenVariant(flags))
      if (!(await demoAgent())) process.exitCode = 1
    })
}

async function demo(variant: VariantChoices | undefined): Promise<void> {
  clearReports()
  const testbed = await createTestbed({
    scenario: 'login',
    variant,
    config: Config.parse({ tracing: { dir: REPORTS } }),
  })
  try {
    const { url } = await testbed.serveRest({ port: 0 })
    print(`Serving a desktop on ${url}. An agent logs in:\n`)
    const passed = await play(new Agent(url), testbed.session.computer.simulation?.oracles.success ?? [])
    print(passed ? '\nThe agent is logged in.' : '\nThe agent is NOT logged in.')
    if (!passed) process.exitCode = 1
  } finally {
    await testbed.close()
  }
}

function clearReports(): void {
  try {
    rmSync(REPORTS, { recursive: true, force: true })
    mkdirSync(REPORTS, { recursive: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot create ${REPORTS} (${code}); run the demo in another folder`)
  }
}

/** Plays the login and prints one line per call. */
async function play(agent: Agent, oracles: readonly unknown[]): Promise<boolean> {
  await agent.post('start a trace', '/api/trace/start', { label: 'demo' }, () => 'every call is recorded')

  const { windows } = await agent.get<{ windows: { window_uid: string; title: string }[] }>(
    'list the windows',
    '/api/windows',
    ({ windows }) => windows.map(({ title }) => JSON.stringify(title)).join(', '),
  )
  const uid = windows[0]?.window_uid ?? ''
  const of = `window_uid=${encodeURIComponent(uid)}`
  await agent.get<{ tree_token: string }>('observe', `/api/observe?${of}`, ({ tree_hash }) => String(tree_hash))
  await agent.picture('take a screenshot', `/api/screenshot?${of}`, 'before.png')

  for (const [name, text] of [
    ['Username', 'alice'],
    ['Password', 'hunter2'],
  ] as const) {
    const selector = `Edit[name="${name}"]`
    await agent.get(`find ${selector}`, `/api/find_element?${of}&selector=${encodeURIComponent(selector)}`, positionOf)
    await agent.post(`click it`, '/api/element/click', { window_uid: uid, selector }, changed)
    const shown = name === 'Password' ? '•'.repeat(text.length) : text
    await agent.post(`type ${shown}`, '/api/action', { action: 'type', value: text }, changed)
  }
  const press = { window_uid: uid, selector: 'Button[name="Login"]' }
  await agent.post('click Login and observe', '/api/element/click_and_observe', press, changed)
  const after = await agent.get<{ windows: { window_uid: string; title: string }[] }>(
    'list the windows',
    '/api/windows',
    ({ windows }) => windows.map(({ title }) => JSON.stringify(title)).join(', '),
  )
  const shown = encodeURIComponent(after.windows[0]?.window_uid ?? '')
  await agent.picture('take a screenshot', `/api/screenshot?window_uid=${shown}`, 'after.png')

  const verdict = await agent.post<{ all_passed: boolean; results: Reply[] }>(
    'check the scenario’s oracles',
    '/api/assert_state',
    { predicate: oracles },
    ({ results }) => `${results.filter(({ passed }) => passed).length} of ${results.length} passed`,
  )
  for (const { kind, passed, args } of verdict.results)
    print(`       ${passed ? '✓' : '✗'} ${kind} ${JSON.stringify(args)}`)
  await agent.post<{ path: string }>('stop the trace', '/api/trace/stop', {}, ({ path }) => relative('.', path))
  return verdict.all_passed && verdict.results.length > 0
}

const changed = (answer: Reply): string => (answer.changed ? 'the screen changed' : 'nothing changed')
const positionOf = ({ element_id, bounds }: Reply): string => {
  const { x, y, width, height } = bounds as Record<string, number>
  return `${element_id} at ${x},${y}, ${width}x${height}`
}

type Describe<T> = (reply: T & Reply) => string

/** A client that prints what it does. */
class Agent {
  readonly #url: string
  #steps = 0

  constructor(url: string) {
    this.#url = url
  }

  get<T>(what: string, path: string, describe: Describe<T>): Promise<T & Reply> {
    return this.#ask(what, path, {}, describe)
  }

  post<T>(what: string, path: string, body: Reply, describe: Describe<T>): Promise<T & Reply> {
    const headers = { 'content-type': 'application/json' }
    return this.#ask(what, path, { method: 'POST', headers, body: JSON.stringify(body) }, describe)
  }

  async picture(what: string, path: string, file: string): Promise<void> {
    const to = join(REPORTS, file)
    await this.get<{ data: string; width: number; height: number }>(what, path, ({ data, width, height }) => {
      writeFileSync(to, Buffer.from(data, 'base64'))
      return `${width}x${height} → ${relative('.', to)}`
    })
  }

  async #ask<T>(what: string, path: string, request: RequestInit, describe: Describe<T>): Promise<T & Reply> {
    const number = String(++this.#steps).padStart(3)
    const started = performance.now()
    const reply = await fetch(this.#url + path, request)
    const answer = (await reply.json()) as T & Reply
    if (!reply.ok) throw new UserError(`step ${number}: ${what}: ${reply.status} ${JSON.stringify(answer.error)}`)
    const took = `${(performance.now() - started).toFixed(0)} ms`
    print(`${number}  ${what.padEnd(30)} ${describe(answer).padEnd(48)} ${took.padStart(7)}`)
    return answer
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

const REQUEST = 'Please log in as alice.'

/** A client of one protocol. */
interface Demo {
  /** The protocol and its URL, for the first line of the output. */
  readonly title: string
  readonly ask: () => Promise<string>
}

/** Runs the scripted agent over every protocol that has a demo, at once, each on its own desktop. */
async function demoAgent(): Promise<boolean> {
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
