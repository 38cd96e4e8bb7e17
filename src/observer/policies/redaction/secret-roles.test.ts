import { expect, it } from 'vitest'
import { openDesktop } from '../../../testing.ts'

// Rules such as [OB232] are stated in src/observer/SPEC.md.

const app = (role: string, more = '') => `
states:
  a:
    windows:
      - uid: w
        title: Sign in
        tree:
          role: Window
          name: Sign in
          children:
            - {id: p, role: ${role}, name: Code, value: ""${more}}
            - {id: q, role: Edit, name: Hint, value: ""}
oracles:
  success: [{kind: value_equals, selector: '*[id="p"]', expected: other}]
`

const READS: readonly (readonly [tool: string, args: object])[] = [
  ['get_window_structure', {}],
  ['observe_window', {}],
  ['find_element', { selector: '*[id="p"]' }],
  ['get_screen_description', {}],
  ['get_screen_sketch', {}],
  ['get_annotations', {}],
  ['snapshot_create', {}],
  ['get_clipboard', {}],
  ['session_info', {}],
  ['assert_state', { predicate: [{ kind: 'value_equals', selector: '*[id="p"]', expected: 'x' }] }],
  ['assert_state', { predicate: [{ kind: 'text_visible', regex: 'hunter2', mode: 'tree' }] }],
]

/** Everything that a client reads after it has typed into the field and tried to copy from it. */
async function seen(role: string, more?: string): Promise<string> {
  const desk = openDesktop({ scenario: app(role, more) })
  await desk.call('click_element', { element_id: 'p' })
  await desk.call('type_text', { text: 'hunter2' })
  for (const keys of ['ctrl+a', 'ctrl+c']) await desk.call('press_key', { keys })
  const answers: unknown[] = []
  for (const [tool, args] of READS) answers.push(await desk.tryCall(tool, args))
  return JSON.stringify(answers)
}

it.each([
  'PasswordBox',
  'PasswordText',
  'password text',
  'password-text',
  'PasswordEdit',
  'PasswordField',
  'AXSecureTextField',
  'SecureTextField',
])('[OB232] the content of a %s is secret by its role', async (role) => {
  const text = await seen(role)
  expect(text.replaceAll('"regex":"hunter2"', '')).not.toContain('hunter2')
  expect(text).toContain('<filled>')
})

it('[OB232] a role for text is not secret, nor is one that the scenario declares as not secret', async () => {
  for (const shown of [await seen('Edit'), await seen('SearchBox'), await seen('PasswordBox', ', secret: false')])
    expect(shown).toContain('"value":"hunter2"')
})

it('[OB232] the content of a field that an effect adds is secret by its role', async () => {
  const added = '{id: n, role: PasswordBox, name: New, value: hunter2}'
  const scenario = app('Edit').replace(
    '    windows:',
    `    windows:
      - {uid: v, title: More, tree: {id: more, role: Window, name: More}}`,
  )
  const desk = openDesktop({
    scenario: `${scenario}reactions: [{on: {keys: f2}, set: [{id: more, append: [${added}]}]}]`,
  })
  await desk.call('press_key', { keys: 'f2' })
  expect(await desk.call('get_window_structure', { window_uid: 'v' })).toMatchObject({
    tree: { children: [{ id: 'n', value: '<filled>' }] },
  })
})
