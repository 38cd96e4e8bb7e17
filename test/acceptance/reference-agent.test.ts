import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommanderError } from 'commander'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { agentCommand } from '../../src/cli/commands/agent.ts'
import { createTestbed } from '../../src/compose/testbed.ts'
import { VENDORS } from '../support/agent/vendors/index.ts'
import { startVendor, type VendorReply } from '../support/agent/vendors/vendor.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { SOLUTIONS } from '../support/reference-agent/solutions.ts'

// `backlot agent`, as users run it.

const [, anthropic] = VENDORS
const closers: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closers.splice(0).reverse()) await close()
})

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-agent-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the command against an endpoint with these replies. */
async function runAgentCommand(replies: readonly VendorReply[], ...args: readonly string[]) {
  const vendor = await startVendor(anthropic!, ...replies)
  closers.push(vendor.close)
  vi.stubEnv('ANTHROPIC_API_KEY', 'k')
  vi.stubEnv('BACKLOT_MODEL_DIALECT', 'anthropic')
  const output = await runCommand(agentCommand(), [
    '--model',
    'm',
    '--url',
    vendor.baseUrl,
    '--observe',
    'tree',
    ...args,
  ])
  return { ...output, requests: vendor.requests, problems: vendor.problems }
}

const usageError = (...args: readonly string[]): Promise<CommanderError> =>
  runCommand(agentCommand().exitOverride(), args).then(
    () => expect.fail('it was accepted'),
    (thrown) => thrown,
  )

const GIVES_UP: VendorReply = { calls: [{ name: 'finish', args: { status: 'infeasible', text: 'no button' } }] }

describe('backlot agent', () => {
  it('[RA18] [RA19] [RA23] solves a scenario, prints what it does, and writes a trace', async () => {
    const folder = newFolder()
    const { stdout, code, problems } = await runAgentCommand(
      SOLUTIONS.calendar,
      ...['--scenario', 'calendar', '--trace', folder],
    )
    expect(problems).toEqual([])
    expect(stdout).toMatch(/^ {5}task {5}Add an event called Dentist .*\[m, anthropic]$/m)
    expect(stdout).toMatch(/^ {2}1 {2}call {5}click_element \{"selector":"Button \\"New event\\""}$/m)
    expect(stdout).toMatch(/^ {2}3 {2}text {5}The day and the time\.$/m)
    expect(stdout).toMatch(/^ {2}5 {2}tokens {3}100 in, 10 out, 550 in all$/m)
    expect(stdout).toMatch(/solved in 5 steps, 550 tokens\n$/)
    expect(existsSync(stdout.match(/trace {4}(.+)$/m)![1]!)).toBe(true)
    expect(code).toBe(0)
  })

  it('[RA18] [RA19] prints JSON, and exits with 1 if the oracles do not hold', async () => {
    const { stdout, code } = await runAgentCommand(
      [GIVES_UP],
      ...['--scenario', 'calendar', '--seed', '3', '--task', 'Press the button.', '--json'],
    )
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'task', text: 'Press the button.', dialect: 'anthropic' })
    expect(lines.filter(({ type }) => type === 'end')).toEqual([
      expect.objectContaining({ solved: false, outcome: 'infeasible', text: 'no button', reward: 0, steps: 1 }),
    ])
    expect(code).toBe(1)
  })

  it('[RA24] reports the cost, in the result and in the trace, where prices are given', async () => {
    const folder = newFolder()
    const { stdout } = await runAgentCommand(
      SOLUTIONS.calendar,
      ...['--scenario', 'calendar', '--trace', folder, '--price-in', '2', '--price-out', '10'],
    )
    // 500 tokens in, 50 out.
    expect(stdout).toMatch(/solved in 5 steps, 550 tokens, 0\.0015 USD\n$/)
    const trace = stdout.match(/trace {4}(.+)$/m)![1]!
    const turns = readFileSync(trace.replace('trace.jsonl', 'model.jsonl'), 'utf8').trimEnd().split('\n')
    expect(turns.map((line) => JSON.parse(line).cost_usd)).toEqual([0.0003, 0.0003, 0.0003, 0.0003, 0.0003])
    vi.stubEnv('BACKLOT_MODEL_PRICE_IN', '2')
    const started = ['--model', 'm', '--url', 'http://127.0.0.1:9', '--scenario', 'calendar']
    expect((await usageError(...started)).message).toMatch(/a cost needs both prices; give --price-out/)
    vi.stubEnv('BACKLOT_MODEL_PRICE_OUT', 'cheap')
    expect((await usageError(...started)).message).toMatch(/BACKLOT_MODEL_PRICE_OUT must be US dollars/)
    expect((await usageError(...started, '--price-in', '-1')).message).toMatch(/use US dollars per million tokens/)
  })

  it('[RA21] [RA20] acts on the desktop of a server', async () => {
    const testbed = await createTestbed({ scenario: 'calendar', tools: 'agent' })
    closers.push(testbed.close)
    const { url } = await testbed.serveRest({ port: 0, token: 'secret' })
    const wrong = await usageError('--model', 'm', '--url', 'http://127.0.0.1:9', '--desktop', url, '--task', 'Add it.')
    expect(wrong.message).toMatch(/BACKLOT_TOKEN must be the token of the server/)
    vi.stubEnv('BACKLOT_TOKEN', 'secret')
    const { code, problems } = await runAgentCommand(SOLUTIONS.calendar, '--desktop', url, '--task', 'Add it.')
    expect(problems).toEqual([])
    expect(code).toBe(0)
    expect(testbed.session.context.episode.finish).toEqual({ status: 'done', text: '' })
  })

  it('[RA6] offers the computer tool of the vendor, and shows what it enlarges', async () => {
    const { stdout, code, problems, requests } = await runAgentCommand(
      SOLUTIONS.loginNatively,
      ...['--scenario', 'login', '--native-tools', '--observe', 'screenshot'],
    )
    expect(problems).toEqual([])
    expect(stdout).toMatch(/^ {2}1 {2}ok {7}left_click: Clicked\.$/m)
    expect(stdout).toMatch(/solved in 6 steps/)
    expect(code).toBe(0)
    const { tools } = requests[0]!.body as { readonly tools: readonly object[] }
    expect(tools).toMatchObject([{ type: 'computer_toolset_20260801' }, { name: 'finish' }])
    // The screen at the start and after each answer, and the enlarged part.
    expect(JSON.stringify(requests[2]!.body).split('iVBORw0KGgo')).toHaveLength(1 + 3 + 1)
  })

  it('[RA21] refuses a desktop that cannot be reached, before it asks the model', async () => {
    const error = await usageError(
      ...['--model', 'm', '--url', 'http://127.0.0.1:9'],
      ...['--desktop', 'http://127.0.0.1:9', '--task', 'Add it.'],
    )
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining('the desktop cannot be reached') })
  })

  it.each([
    [['--scenario', 'login'], /name the model with --model, or in BACKLOT_MODEL/],
    [['--model', 'm', '--url', 'ftp://x'], /--url must be an address such as http/],
    [['--model', 'm', '--dialect', 'claude'], /Allowed choices are openai, anthropic, gemini/],
    [['--model', 'm', '--dialect', 'gemini'], /needs GEMINI_API_KEY/],
    [['--model', 'm', '--url', 'http://127.0.0.1:9', '--desktop', 'http://127.0.0.1:9'], /--desktop needs the task/],
    [['--model', 'm', '--desktop', 'http://127.0.0.1:9', '--scenario', 'login'], /cannot be used with option/],
    [
      ['--model', 'm', '--url', 'http://127.0.0.1:9', '--desktop', 'nowhere', '--task', 'x'],
      /--desktop must be the URL/,
    ],
    [
      ['--model', 'm', '--url', 'http://127.0.0.1:9', '--desktop', 'http://me:secret@127.0.0.1:9', '--task', 'x'],
      /^(?!.*secret).*without a user and a password/,
    ],
    [['--model', 'm', '--url', 'http://127.0.0.1:9', '--native-tools'], /--native-tools needs --dialect anthropic/],
    [
      ['--model', 'm', '--url', 'http://127.0.0.1:9', '--dialect', 'anthropic', '--native-tools', '--observe', 'tree'],
      /--native-tools needs screenshots/,
    ],
    [['--model', 'm', '--max-steps', 'many'], /use a whole number/],
    [['--model', 'm', '--url', 'http://127.0.0.1:9', '--scenario', 'no-such'], /no-such/],
  ])('[RA19] exits with 2 for %j', async (args, message) => {
    for (const name of ['OPENAI_API_KEY', 'GEMINI_API_KEY', 'BACKLOT_MODEL', 'BACKLOT_MODEL_DIALECT'])
      vi.stubEnv(name, '')
    const error = await usageError(...args)
    expect(error.message).toMatch(message)
    expect(error.code === 'commander.error' ? error.exitCode : 2).toBe(2)
  })
})
