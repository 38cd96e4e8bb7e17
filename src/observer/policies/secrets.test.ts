import { describe, expect, it } from 'vitest'
import { createRestApp, openDesktop } from '../../testing.ts'
import { secretNames } from './secrets.ts'

// Rules such as [OB151] are stated in src/observer/SPEC.md.

const APP = `states: {a: {windows: [{uid: mock:a, title: A, tree: {role: Window, name: A, children: [{id: e, role: Edit, name: E, value: ""}]}}]}}`

/** Everything that the server writes while requests are made, with some names listed as secret. */
async function written(names: readonly string[], requests: readonly (readonly [path: string, body: object])[]) {
  const settings = {
    tracing: { redact_keys: names },
    audit: { redact_arg_keys: names },
    logging: { audit: true },
  }
  const desk = openDesktop({ scenario: APP, config: settings })
  const app = await createRestApp(desk)
  await app.inject({ method: 'POST', url: '/api/trace/start' })
  for (const [url, payload] of requests) await app.inject({ method: 'POST', url, payload })
  const files = [...desk.artifacts].filter(([name]) => !name.endsWith('.png'))
  expect(files.map(([name]) => name).sort()).toEqual(['audit/./audit.log', expect.stringMatching(/trace\.jsonl$/)])
  return files.map(([, text]) => String(text)).join('')
}

const TYPING: readonly (readonly [string, object])[] = [
  ['/api/action', { action: 'type', value: 'sekret' }],
  ['/api/action', { action: 'type', value: 'sekret', text: 'sekret' }],
  ['/api/tool/type_text', { text: 'sekret' }],
  ['/api/tool/type_text', { value: 'sekret' }],
  ['/api/tool/type_text', { Text: 'sekret', text: { value: 'sekret' } }],
  ['/api/type_and_observe', { text: 'sekret' }],
  ['/api/element/set_value', { element_id: 'e', value: 'sekret' }],
  ['/api/element/set_value', { element_id: 'e', value: 'sekret'.repeat(2000) }],
  ['/api/session/step', { action: { tool: 'type_text', args: { text: 'sekret' } } }],
  ['/api/session/step', { actions: [{ tool: 'set_value', args: { element_id: 'e', value: 'sekret' } }] }],
  ['/api/propose_action', { action: 'type_text', args: { text: 'sekret', value: 'sekret' } }],
]

describe('a name that is listed as secret', () => {
  it.each([[['text']], [['value']], [['VALUE']], [['text', 'value']]])(
    '[OB151] [OB247] hides typed text in every argument: %j',
    async (names) => {
      const text = await written(names, TYPING)
      expect(text).toContain('<redacted>')
      expect(text).toContain('redactions=[args.text]')
      expect(text).not.toContain('sekret')
    },
  )

  it.each([[['keys']], [['value']]])(
    '[OB151] [OB247] hides keys that are sent under another name: %j',
    async (names) => {
      const text = await written(names, [['/api/action', { action: 'key', value: 'ctrl+s' }]])
      expect(text).not.toContain('ctrl+s')
      expect(text).toContain('"args":{"keys":"<redacted>"}')
    },
  )

  it('[OB151] does not hide keys that are sent under their own name', async () => {
    const text = await written(['value'], [['/api/tool/press_key', { keys: 'ctrl+s' }]])
    expect(text).toContain('"args":{"keys":"ctrl+s"}')
    expect(text).toContain('args.keys=ctrl+s')
  })

  it('[OB247] matches at the end of a path only', () => {
    const isSecret = secretNames(['text'])
    expect(['4.text', '4.args.VALUE', 'text'].map((name) => isSecret(name))).toEqual([true, true, true])
    expect(['context', 'text.length', 'toString'].map((name) => isSecret(name))).toEqual([false, false, false])
  })
})
