import { describe, expect, it } from 'vitest'
import { OSWORLD_DESK, openOsworld } from '../../../test/support/protocols/osworld-server.ts'

// Rules such as [OS9] are stated in README.md beside this file.

const SECRET = '0123456789abcdef-secret'
type Server = Awaited<ReturnType<typeof openOsworld>>

describe('the commands of a harness', () => {
  const files = { 'desk.yaml': OSWORLD_DESK }
  const backlot = (server: Server, ...words: readonly string[]) =>
    server.post('/execute', { command: ['backlot', ...words] })

  it('[OS9] start a scenario and print its score', async () => {
    const server = await openOsworld({ files, scenario: 'states: {a: {windows: []}}' })
    const selected = await backlot(server, 'select', '--scenario', 'desk.yaml', '--seed', '7', '--secret', SECRET)
    expect(selected).toMatchObject({ returncode: 0, error: '' })
    expect(server.desktop.computer).toMatchObject({ scenario: 'desk', seed: 7 })
    const score = async () => (await backlot(server, 'score', '--secret', SECRET)).output
    expect(await score()).toBe('0.0')
    await server.run('import pyautogui; pyautogui.click(100, 75); pyautogui.write("done")')
    expect(await score()).toBe('0.5')
    await server.run('import pyautogui; pyautogui.hotkey("ctrl", "s")')
    expect(await score()).toBe('1.0')
    const line = `backlot score --secret ${SECRET} --infeasible --answer 'not possible'`
    expect(await server.post('/execute', { command: line, shell: true })).toMatchObject({ output: '1.0' })
    expect(server.desktop.session.episode.finish).toEqual({ status: 'infeasible', text: 'not possible' })
    await backlot(server, 'select', '--scenario', 'desk.yaml', '--variant', 'theme=dark', '--fault', 'lost-click')
    expect(server.desktop.computer).toMatchObject({ variant: { theme: 'dark' }, faultNames: ['lost-click'] })
  })

  it.each([
    [['select'], 'backlot select: --scenario is missing'],
    [['select', '--scenario', '../../etc/passwd', '--secret', SECRET], 'ScenarioInvalid'],
    [['select', '--scenario', 'desk.yaml', '--seed', 'x'], '--seed must be a whole number'],
    [['select', '--scenario', 'desk.yaml', '--secret', 'short'], '--secret must have 16 to 256 characters'],
    [['select', '--scenario', 'desk.yaml', '--variant', 'dark'], '--variant must be AXIS=VALUE'],
    [['select', '--scenrio', 'desk.yaml'], 'there are --scenario, --seed, --variant, --fault, --secret'],
    [['rm'], 'unknown command "rm"'],
  ])('[OS9] %j is refused', async (words, error) => {
    const server = await openOsworld({ files })
    expect(await backlot(server, ...words)).toMatchObject({ returncode: 1, error: expect.stringContaining(error) })
  })

  it('[OS10] score for the secret only, and reveal it nowhere', async () => {
    const server = await openOsworld({ files, config: { logging: { audit: true } } })
    const refused = { status: 'success', output: '', error: 'backlot score: permission denied\n', returncode: 1 }
    expect(await backlot(server, 'score', '--secret', SECRET)).toMatchObject(refused)
    await server.desktop.call('trace_start')
    const answers = [
      await backlot(server, 'select', '--scenario', 'desk.yaml', '--secret', SECRET),
      await backlot(server, 'score', '--secret', `${SECRET}x`),
      await backlot(server, 'score'),
      await backlot(server, 'score', '--secret', SECRET),
      await backlot(server, 'score', '--secrt', SECRET),
    ]
    expect(answers.slice(1, 3)).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)])
    expect(answers[3]).toMatchObject({ output: '0.0', returncode: 0 })
    await server.desktop.call('trace_stop')
    const written = [...server.desktop.artifacts.values()].map(String).join('\n')
    expect(written).toContain('load_scenario')
    expect(JSON.stringify(answers) + written).not.toContain(SECRET)
    await backlot(server, 'select', '--scenario', 'desk.yaml')
    expect(await backlot(server, 'score', '--secret', SECRET)).toMatchObject(refused)
  })

  it('[OS9] have a bounded number of arguments', async () => {
    const server = await openOsworld({ files })
    const result = await server.post('/execute', { command: `backlot score ${'a '.repeat(200_000)}` })
    expect(result).toMatchObject({ returncode: 1, error: expect.stringContaining('more than 200 arguments') })
    expect(await server.post('/execute', { command: 'a'.repeat(600_000) })).toMatchObject({ statusCode: 400 })
  })

  it('[OS10] are launched without a word of the secret', async () => {
    const server = await openOsworld({ files })
    const launch = async (...words: readonly string[]) => {
      const payload = { command: ['backlot', ...words, '--secret', SECRET] }
      return (await server.app.inject({ method: 'POST', url: '/setup/launch', payload })).body
    }
    expect(await launch('select', '--scenario', 'desk.yaml')).toBe('backlot launched successfully')
    expect(await launch('select', '--scenario', 'none.yaml')).not.toContain(SECRET)
  })

  it('[OS10] score for an agent only with the secret', async () => {
    const server = await openOsworld({ files, audience: 'agent', harnessToken: 'harness' })
    expect(await backlot(server, 'select', '--scenario', 'desk.yaml')).toMatchObject({
      returncode: 1,
      error: expect.stringContaining('PermissionDenied'),
    })
    await server.app.inject({
      method: 'POST',
      url: '/execute',
      headers: { 'x-harness-token': 'harness' },
      payload: { command: ['backlot', 'select', '--scenario', 'desk.yaml', '--secret', SECRET] },
    })
    expect(await backlot(server, 'score', '--secret', SECRET)).toMatchObject({ output: '0.0' })
  })
})
