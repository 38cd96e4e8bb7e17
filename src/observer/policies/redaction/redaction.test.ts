import { describe, expect, it } from 'vitest'
import { realDesktop, testElement, windowAt } from '../../../../test/support/observer/real-desktop.ts'
import { fromPixels, fromPng } from '../../../paint/picture.ts'
import { Predicate } from '../../../scenario/predicate.ts'
import { openDesktop } from '../../../testing.ts'
import { ALL_TOOLS } from '../../registry.ts'

// Rules such as [OB229] are stated in src/observer/SPEC.md.

const BANK = `
states:
  a:
    windows:
      - uid: mock:bank
        title: Bank
        bounds: {x: 0, y: 0, width: 500, height: 400}
        tree:
          role: Window
          name: Bank
          children:
            - {id: pin, role: Edit, name: PIN of Ada, value: zebra77, bounds: {x: 10, y: 50, width: 200, height: 28}}
            - {id: key, role: PasswordEdit, name: Key, value: zebra77, bounds: {x: 10, y: 90, width: 200, height: 28}}
            - {id: ssn, role: Text, name: "Number 078-05-1120 of zebra", bounds: {x: 10, y: 130, width: 300, height: 28}}
            - {id: pw, role: Edit, name: Password, value: zebra77, secret: true, bounds: {x: 10, y: 170, width: 200, height: 28}}
            - {id: go, role: Button, name: Go, bounds: {x: 10, y: 210, width: 80, height: 28}}
            - {id: off, role: Edit, name: PIN zebra77, value: x, enabled: false, bounds: {x: 10, y: 250, width: 80, height: 28}}
      - uid: mock:vault
        title: Vault of zebra77
        bounds: {x: 600, y: 100, width: 300, height: 200}
        tree: {role: Window, name: Vault of zebra77, children: [{id: t, role: Text, name: zebra77 everywhere}]}
reactions:
  - {on: {tool: click_element, target_id: go}, set: [{id: pin, value: zebra77-changed}, {id: t, window: mock:vault, name: zebra77 changed}]}
`

const SAFE = `
states:
  a:
    windows:
      - uid: mock:safe
        title: Safe
        bounds: {x: 0, y: 0, width: 500, height: 400}
        tree:
          role: Window
          name: Safe
          children:
            - id: combo
              role: ComboBox
              name: PIN combo
              value: OPT-alpha
              bounds: {x: 10, y: 40, width: 200, height: 28}
              children:
                - {id: other, role: ListItem, name: OPT-beta}
                - {id: item, role: ListItem, name: OPT-alpha, selected: true, identifier: opt-alpha, description: is alpha}
            - id: group
              role: Group
              name: PIN group
              bounds: {x: 10, y: 80, width: 200, height: 60}
              children:
                - {role: Text, name: alpha, bounds: {x: 10, y: 80, width: 100, height: 20}}
                - {id: pinned, role: Edit, name: Field, value: alpha, bounds: {x: 10, y: 105, width: 100, height: 28}}
            - id: table
              role: Table
              name: PIN table
              bounds: {x: 10, y: 150, width: 200, height: 60}
              children: [{role: Row, name: "", bounds: {x: 10, y: 150, width: 200, height: 24}, children: [{role: Cell, name: "", value: alpha, bounds: {x: 10, y: 150, width: 100, height: 24}}]}]
            - {id: note, role: Edit, name: Note, value: "", bounds: {x: 10, y: 220, width: 200, height: 28}}
            - {id: go, role: Button, name: Go, bounds: {x: 10, y: 260, width: 80, height: 28}}
reactions:
  - {on: {tool: click_element, target_id: go}, set: [{id: pinned, value: alpha changed}, {id: item, name: alpha changed}]}
`

const HIDING = {
  window_title_patterns: ['^Vault'],
  element_name_patterns: ['PIN'],
  element_role_patterns: ['PasswordEdit'],
  ocr_text_patterns: ['\\d{3}-\\d{2}-\\d{4}', 'zebra'],
}
const bank = (redaction: object = HIDING, more: object = {}) =>
  openDesktop({ scenario: BANK, config: { redaction, logging: { audit: true }, ...more } })
const node = async (desk: ReturnType<typeof openDesktop>, id: string, window_uid = 'mock:bank') =>
  (await desk.call('get_window_structure', { window_uid, scope: id })).tree

describe('redaction', () => {
  it('[OB227] hides by name, by role, by title and by text', async () => {
    const desk = bank()
    expect(await node(desk, 'pin')).toMatchObject({ name: '[REDACTED]', value: '[REDACTED]' })
    expect(await node(desk, 'key')).toMatchObject({ name: '[REDACTED]', value: '[REDACTED]' })
    expect(await node(desk, 't', 'mock:vault')).toMatchObject({ name: '[REDACTED]', value: null })
    expect(await node(desk, 'ssn')).toMatchObject({ name: 'Number [REDACTED] of [REDACTED]' })
    expect(await node(desk, 'go')).toMatchObject({ name: 'Go' })
    const { windows } = await desk.call('list_windows')
    expect((windows as { title: string }[]).map(({ title }) => title)).toEqual(['Bank', '[REDACTED]'])
  })

  it('[OB227] reports how many elements it hides', async () => {
    const desk = bank()
    await desk.call('observe_window')
    expect(await desk.call('get_redaction_status')).toMatchObject({
      enabled: true,
      active: true,
      patterns_count: 5,
      applied_count: expect.any(Number),
      blur_screenshots: false,
    })
    expect(await openDesktop({ scenario: BANK }).call('get_redaction_status')).toMatchObject({
      enabled: false,
      active: false,
    })
    expect(await bank({ ...HIDING, enabled: false }).call('get_redaction_status')).toMatchObject({
      enabled: false,
      active: false,
    })
  })

  it('[OB230] does not compare files or the clipboard while elements are hidden', async () => {
    const copied = async (redaction: object, id: string, expected: string) => {
      const desk = bank(redaction)
      for (const keys of ['ctrl+a', 'ctrl+c']) await desk.call('key_into_element', { element_id: id, keys })
      const { results } = await desk.call('assert_state', { predicate: [{ kind: 'clipboard_equals', expected }] })
      return (results as { passed: boolean; observed: unknown }[]).map(({ passed, observed }) => [passed, observed])
    }
    const withheld = [[false, { unsupported: true, code: 'PredicateUnsupported', reason: expect.any(String) }]]
    expect(await copied({ element_name_patterns: ['PIN'] }, 'pin', 'zebra')).toEqual(withheld)
    expect(await copied({ element_name_patterns: ['PIN'] }, 'pin', 'zebra77')).toEqual(withheld)
    expect(await copied({ ocr_text_patterns: ['nothing'] }, 'pin', 'zebra77')).toEqual([[true, { actual: 'zebra77' }]])
    expect(await copied({}, 'pin', 'zebra')).toEqual([[false, { actual: 'zebra77' }]])
    expect(await copied({}, 'pw', 'zebra')).toEqual([[false, { actual: '' }]])
  })

  it('[OB230] answers no kind of predicate by what the clipboard has', async () => {
    const asked = { selector: 'Edit', regex: 'zebra', title_regex: 'Vault', path: '/pin.txt', expected: 'zebra77' }
    const predicate = Predicate.options.map(({ shape }) => ({ kind: shape.kind.value, ...asked }))
    const answers = async (id: string) => {
      const desk = bank({ element_name_patterns: ['PIN'] })
      for (const keys of ['ctrl+a', 'ctrl+c']) await desk.call('key_into_element', { element_id: id, keys })
      await desk.call('focus_element', { element_id: 'go' })
      return (await desk.call('assert_state', { predicate })).results
    }
    expect(await answers('pin')).toEqual(await answers('pw'))
  })

  /** Calls that would reveal a leak, made before and after a hidden value changes. */
  const questions = (since: unknown, a: unknown, b: unknown): readonly [string, object][] => [
    ['list_windows', {}],
    ['get_window_structure', {}],
    ['get_window_structure', { window_uid: 'mock:vault', max_nodes: 1 }],
    ['observe_window', { since }],
    ['observe_window', { since, format: 'json-patch' }],
    ['observe_window', { window_uid: 'mock:vault' }],
    ['webmcp_list', {}],
    ['webmcp_call', { name: 'a' }],
    ['get_screen_description', {}],
    ['get_screen_description', { window_uid: 'mock:vault' }],
    ['get_screen_outline', {}],
    ['get_screen_outline', { window_uid: 'mock:vault', format: 'ids' }],
    ['get_screen_sketch', { structured: true, ocr: true }],
    ['get_screen_sketch', { window_uid: 'mock:vault', ocr: true }],
    ['get_ocr', {}],
    ['get_ocr', { window_uid: 'mock:vault' }],
    ['find_element', { selector: 'Edit' }],
    ['find_element', { selector: 'Window', window_uid: 'mock:vault' }],
    ['get_visible_areas', { window_uid: 'mock:vault' }],
    ['get_annotations', {}],
    ['get_annotations', { window_uid: 'mock:vault', picture: 'marks' }],
    ['click_element', { element_id: 'pin' }],
    ['click_element', { element_id: 'off' }],
    ['set_value', { element_id: 'ssn', value: 'x' }],
    ['select_option', { element_id: 'pin', option_name: 'x' }],
    ['type_text', { text: 'a' }],
    ['click_element_and_observe', { element_id: 'go' }],
    ['bring_to_foreground', { window_uid: 'mock:vault' }],
    ['propose_action', { action: 'click_element', args: { element_id: 'pin' } }],
    ['wait_for', { any_of: [{ type: 'text_visible', regex: 'nothing' }], timeout_ms: 100 }],
    ['wait_for', { any_of: [{ type: 'window_appears', title_regex: 'Vault' }], timeout_ms: 100 }],
    ['assert_state', { predicate: [{ kind: 'value_equals', selector: '*[id="pin"]', expected: 'x' }] }],
    ['assert_state', { predicate: [{ kind: 'window_exists', window_uid: 'mock:vault' }] }],
    ['snapshot_get', { snapshot_id: a }],
    ['snapshot_diff', { a, b }],
    ['session_step', { action: { tool: 'observe_window' }, observe: 'tree' }],
    ['get_full_screenshot', { window_uid: 'mock:vault' }],
    ['get_clipboard', {}],
    ['list_disk_files', {}],
    ['read_disk_file', { path: '/a' }],
  ]

  it('[OB229] keeps hidden text out of every tool, trace and log', async () => {
    const desk = bank()
    await desk.call('trace_start')
    const { tree_token } = await desk.call('observe_window')
    const { snapshot_id: a } = await desk.call('snapshot')
    await desk.call('click_element', { element_id: 'go' })
    const { snapshot_id: b } = await desk.call('snapshot')
    const answers: [string, string][] = []
    for (const [tool, args] of questions(tree_token, a, b))
      answers.push([tool, JSON.stringify(await desk.tryCall(tool, args), withoutPictures)])
    expect(answers.filter(([, text]) => /zebra|Ada|078-05/.test(text))).toEqual([])
    const written = [...desk.artifacts].filter(([name]) => !name.endsWith('.png')).map(([, text]) => String(text))
    expect(written.filter((text) => /zebra|Ada|078-05/.test(text))).toEqual([])
    expect(written.length).toBe(2)
  })

  it('[OB229] covers every tool that returns program text', () => {
    const covered = new Set(questions('', '', '').map(([tool]) => tool))
    const silent = ALL_TOOLS.filter(({ traits }) => traits.untrusted).map(({ name }) => name)
    const composites = ['press_key_and_observe', 'type_and_observe', 'session_reset']
    expect(silent.filter((name) => !covered.has(name) && !composites.includes(name))).toEqual([])
  })

  it('[OB228] hides the contents of a hidden element in every output', async () => {
    const desk = openDesktop({ scenario: SAFE, config: { redaction: { element_name_patterns: ['(?i)pin'] } } })
    await desk.call('trace_start')
    const { tree_token: since } = await desk.call('observe_window')
    const { snapshot_id: a } = await desk.call('snapshot')
    await desk.call('click_element', { element_id: 'go' })
    const { snapshot_id: b } = await desk.call('snapshot')
    const calls: [string, object][] = [
      ['get_window_structure', {}],
      ['get_window_structure', { max_nodes: 3 }],
      ['get_window_structure', { scope: 'item' }],
      ['observe_window', { since }],
      ['observe_window', { since, format: 'json-patch' }],
      ['get_screen_description', {}],
      ['get_screen_description', { focus_element: 'item' }],
      ['get_screen_outline', {}],
      ['get_screen_sketch', { structured: true, ocr: true }],
      ['get_ocr', {}],
      ['get_ocr', { element_id: 'item' }],
      ['find_element', { selector: 'ListItem' }],
      ['click_element', { element_id: 'item' }],
      ['select_option', { element_id: 'combo', option_name: 'nothing' }],
      ['assert_state', { predicate: [{ kind: 'value_equals', selector: 'Cell', expected: 'x' }] }],
      ['snapshot_get', { snapshot_id: a }],
      ['snapshot_diff', { a, b }],
    ]
    for (const [tool, args] of calls)
      expect([tool, JSON.stringify(await desk.tryCall(tool, args), withoutPictures)]).toEqual([
        tool,
        expect.not.stringMatching(/alpha|\bk-1/),
      ])
    const lines = [...desk.artifacts].filter(([name]) => !name.endsWith('.png')).map(([, text]) => String(text))
    expect([lines.length, lines.filter((text) => /alpha/.test(text))]).toEqual([1, []])
    const quiet = async (condition: object) =>
      (await desk.tryCall('wait_for' as string, { any_of: [condition], timeout_ms: 100 })).error?.code
    expect(await quiet({ type: 'text_visible', regex: 'alpha' })).toBe('Timeout')
    expect(await quiet({ type: 'element_appears', selector: '*[name*="alpha"]' })).toBe('Timeout')
    expect(await quiet({ type: 'element_appears', selector: '*[value*="alpha"]' })).toBe('Timeout')
    const oracle = { kind: 'text_visible', regex: 'alpha', mode: 'auto' }
    expect((await desk.call('assert_state', { predicate: [oracle] })).all_passed).toBe(false)
    expect((await desk.tryCall('find_element', { selector: 'ListItem[selected=true]' })).error?.code).toBe(
      'ElementNotFound',
    )
  })

  it('[OB228] returns the same hash for any contents of a hidden element', async () => {
    const hash = async (text: string) =>
      (
        await openDesktop({
          scenario: SAFE.replaceAll('alpha', text),
          config: { redaction: { element_name_patterns: ['(?i)pin'] } },
        }).call('observe_window')
      ).tree_hash
    expect(await hash('one')).toBe(await hash('two'))
  })

  it('[OB234] covers the open list of a hidden combo box', async () => {
    const desk = openDesktop({
      scenario: SAFE,
      config: { redaction: { element_name_patterns: ['(?i)pin'], blur_screenshots: true } },
    })
    await desk.call('click_element', { element_id: 'combo' })
    const { tree } = await desk.call('get_window_structure', { scope: 'item' })
    const { data } = await desk.call('get_screenshot')
    expect(coloursIn(fromPng(Buffer.from(data as string, 'base64')), (tree as { bounds: Box }).bounds).size).toBe(1)
  })

  it('[OB235] covers the caption of a hidden field', async () => {
    const form = `states: {a: {windows: [{uid: w, title: Form, bounds: {x: 100, y: 100, width: 400, height: 300}, tree: {role: Window, name: Form,
      children: [{id: pin, role: Spinner, name: Zebra, value_now: 4711, value_max: 9999}, {role: Edit, name: Mail}]}}]}}`
    const redaction = { element_role_patterns: ['Spinner'], blur_screenshots: true }
    const words = async (text: string) => {
      const { words } = await openDesktop({ scenario: text, config: { redaction } }).call('get_ocr', {
        window_index: 0,
      })
      return (words as { text: string }[]).map(({ text }) => text)
    }
    const text = await words(form)
    expect([text.includes('Mail'), text.includes('Zebra'), text.includes('4711')]).toEqual([true, false, false])
    const slider = form.replace('Spinner', 'Slider')
    redaction.element_role_patterns = ['Slider']
    expect((await words(slider)).join()).not.toMatch(/Zebra|4711/)
    const pixels = async (text: string) =>
      (await openDesktop({ scenario: text, config: { redaction } }).call('get_screenshot', { window_index: 0 })).data
    const other = slider.replace('Zebra', 'Camel')
    expect((await pixels(slider)) === (await pixels(other))).toBe(true)
  })

  it('[OB236] hides elements that a crop of the screen cuts', async () => {
    const settings = { redaction: { element_name_patterns: ['Username'], blur_screenshots: true } }
    const bbox = { x: 100, y: 180, width: 140, height: 80 }
    const desk = openDesktop({ scenario: 'login', config: settings })
    const { words } = await desk.call('get_ocr', { bbox })
    expect(JSON.stringify(words)).not.toContain('User')
    const part = await desk.call('get_screenshot_cropped', { bbox })
    const shown = await openDesktop({ scenario: 'login' }).call('get_screenshot_cropped', { bbox })
    expect([part.source_bbox, part.data === shown.data]).toEqual([bbox, false])
  })

  it('[OB241] returns one word for the text of a hidden box, as large as the box', async () => {
    const wordsFor = async (value: string) => {
      const desk = openDesktop({
        scenario: BANK.replace('value: zebra77, bounds', `value: ${value}, bounds`),
        config: { redaction: { element_name_patterns: ['PIN of'] } },
      })
      return (await desk.call('get_ocr', { element_id: 'pin' })).words
    }
    expect(await wordsFor('i')).toEqual([
      { text: '[REDACTED]', confidence: 100, bbox: { x: 10, y: 50, width: 200, height: 28 } },
    ])
    expect(await wordsFor('a much longer one')).toEqual(await wordsFor('i'))
  })

  it('[OB241] returns the same number of words for hidden titles of any length', async () => {
    const wordsFor = async (title: string) => {
      const desk = openDesktop({
        scenario: BANK.replaceAll('Vault of zebra77', title),
        config: { redaction: { window_title_patterns: ['^Vault'] } },
      })
      const panel = { x: 0, y: 760, width: 1280, height: 40 }
      const { words } = await desk.call('get_ocr', { bbox: panel })
      return (words as { text: string }[]).filter(({ text }) => text === '[REDACTED]').length
    }
    expect(await wordsFor('Vault')).toBe(await wordsFor('Vault of a rather long name'))
  })

  it('[OB242] does not recognise text of hidden elements, even when screenshots show it', async () => {
    const read = async (picture: { readonly width: number; pixels(): Uint8Array }) => {
      const text = coloursIn(picture, { x: 10, y: 50, width: 200, height: 28 }).size === 1 ? 'covered' : 'zebra77'
      return [{ text, bounds: { x: 10, y: 50, width: 9, height: 9 }, confidence: 90, line: 0, block: 0 }]
    }
    const desk = openDesktop({
      scenario: BANK,
      config: { redaction: { element_name_patterns: ['PIN'] } },
      perception: { ocr: { name: 'pixels', read } },
    })
    expect(JSON.stringify(await desk.call('get_ocr', { window_index: 0 }))).toContain('covered')
    expect((await desk.call('get_screen_description')).ocr).toBe('covered')
    expect((await desk.call('get_screen_sketch', { ocr: true })).ocr_text).toBe('covered')
    const predicate = [{ kind: 'text_visible', regex: 'zebra', mode: 'ocr' }]
    expect((await desk.call('assert_state', { predicate })).all_passed).toBe(false)
  })

  it('[OB243] pastes into a shown field only text that was copied from a shown element', async () => {
    const desk = openDesktop({
      scenario: `clipboard: sesame\n${SAFE}`,
      config: { redaction: { element_name_patterns: ['(?i)pin'] } },
    })
    const paste = (keys: string) => desk.tryCall('key_into_element', { element_id: 'note', keys })
    for (const keys of ['ctrl+v', 'shift+insert', 'meta+v', 'ctrl+shift+v'])
      expect((await paste(keys)).error?.code).toBe('PermissionDenied')
    for (const keys of ['ctrl+a', 'ctrl+c']) await desk.call('key_into_element', { element_id: 'pinned', keys })
    expect((await paste('ctrl+v')).error?.code).toBe('PermissionDenied')
    expect(JSON.stringify(await desk.call('observe_window'))).not.toMatch(/sesame|alpha/)
    await desk.call('set_value', { element_id: 'note', value: 'mine' })
    for (const keys of ['ctrl+a', 'ctrl+c', 'end', 'ctrl+v'])
      await desk.call('key_into_element', { element_id: 'note', keys })
    expect(await node(desk, 'note', 'mock:safe')).toMatchObject({ value: 'minemine' })
    expect(
      (
        await openDesktop({ scenario: `clipboard: sesame\n${SAFE}` }).tryCall('key_into_element', {
          element_id: 'note',
          keys: 'ctrl+v',
        })
      ).ok,
    ).toBe(true)
  })

  it('[OB244] explains why nothing received the input, without names', async () => {
    const desk = bank({ element_name_patterns: ['Go'] })
    await desk.call('focus_element', { element_id: 'go' })
    expect(await desk.call('type_text', { text: 'x' })).toMatchObject({
      changed: false,
      note: 'nothing that has the keyboard takes text; click or focus a field first',
    })
    expect((await desk.call('click_at', { x: -1, y: 0 })).note).toContain('-1,0 is on no monitor')
  })

  it('[OB244] explains invalid keys and texts, and states nothing false about withheld values', async () => {
    const message = async (tool: string, args: object) =>
      ((await bank().tryCall(tool, args)).error as { message?: string }).message
    expect(await message('press_key', { keys: 'ctrl+nokey' })).toContain('nokey')
    expect(await message('type_text', { text: '\u0001' })).toContain('U+0001')
  })

  it('[OB229] does not evaluate predicates on hidden elements', async () => {
    const desk = bank()
    for (const selector of ['Edit[value*="zebra"]', 'Edit[name*="Ada"]', '*[name~=".*zebra.*"]'])
      expect((await desk.tryCall('find_element', { selector })).error?.code).toBe('ElementNotFound')
    const predicate = [
      { kind: 'value_equals', selector: '*[id="pw"]', expected: 'zebra77' },
      { kind: 'text_visible', regex: 'zebra', mode: 'auto' },
      { kind: 'text_visible', regex: 'zebra', mode: 'ocr', window_uid: 'mock:vault' },
      { kind: 'window_exists', title_regex: 'Vault' },
    ]
    const { results } = await desk.call('assert_state', { predicate })
    expect((results as { passed: boolean }[]).map(({ passed }) => passed)).toEqual([false, false, false, false])
  })

  it('[OB229] hashes only shown elements', async () => {
    const hash = async (value: string) =>
      (
        await openDesktop({
          scenario: BANK.replace('value: zebra77, bounds', `value: ${value}, bounds`),
          config: { redaction: HIDING },
        }).call('observe_window')
      ).tree_hash
    expect(await hash('one')).toBe(await hash('two'))
  })

  it('[OB231] shows that a secret field is filled, without any pattern', async () => {
    const desk = openDesktop({ scenario: BANK })
    expect(await node(desk, 'pw')).toMatchObject({ name: 'Password', value: '<filled>' })
    await desk.call('clear_text', { element_id: 'pw' })
    expect(await node(desk, 'pw')).toMatchObject({ value: '' })
    await desk.call('set_value', { element_id: 'pw', value: 'swordfish' })
    expect(JSON.stringify(await desk.call('get_screen_description'))).not.toContain('swordfish')
  })

  it('[OB233] paints over hidden elements', async () => {
    const shot = async (blur_screenshots: boolean, args: object = {}) => {
      const { data } = await bank({ ...HIDING, blur_screenshots }).call('get_screenshot', args)
      return fromPng(Buffer.from(data as string, 'base64'))
    }
    const clear = await shot(false, { window_uid: 'mock:bank' })
    const blurred = await shot(true, { window_uid: 'mock:bank' })
    expect(coloursIn(clear, { x: 10, y: 50, width: 200, height: 28 }).size).toBeGreaterThan(2)
    expect(coloursIn(blurred, { x: 10, y: 50, width: 200, height: 28 }).size).toBe(1)
    expect(coloursIn(blurred, { x: 10, y: 90, width: 200, height: 28 }).size).toBe(1)
    expect(coloursIn(blurred, { x: 10, y: 210, width: 80, height: 28 }).size).toBeGreaterThan(2)
    expect(coloursIn(await shot(true), { x: 600, y: 100, width: 300, height: 200 }).size).toBe(1)
  })

  it('[OB233] also hides the title on the panel', async () => {
    const { session, computer } = bank({ ...HIDING, blur_screenshots: true })
    const picture = await session.computer.screenshot({ screen: true })
    const unredacted = await computer.screenshot({ screen: true })
    const panel = unredacted.text!.find(({ text, bounds }) => text.startsWith('Vault') && bounds.y > 700)!
    expect(coloursIn(picture, panel.bounds).size).toBe(1)
    expect(picture.text!.map(({ text }) => text).join()).not.toContain('Vault')
  })
})

describe('a session', () => {
  it('[OB240] has no property that leads to hidden texts or to the unredacted computer', async () => {
    const desk = openDesktop({
      scenario: BANK,
      config: { redaction: { window_title_patterns: ['^Vault'], element_role_patterns: ['Edit', 'Text'] } },
    })
    await desk.call('list_windows')
    await desk.call('get_window_structure', { window_uid: 'mock:vault' })
    await desk.call('propose_action', { action: 'click_element', args: { element_id: 'go' } })
    await desk.call('click_element', { element_id: 'go' })
    const reached = reachableFrom(desk.session)
    expect(reached.size).toBeGreaterThan(100)
    expect([...reached].filter((value) => value === desk.computer || String(value).includes('zebra77'))).toEqual([])
  })
})

/** Every object and text that properties and getters reach. */
function reachableFrom(root: object): ReadonlySet<unknown> {
  const reached = new Set<unknown>()
  const waiting: unknown[] = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') reached.add(value)
    if (typeof value !== 'object' || value === null || reached.has(value)) continue
    reached.add(value)
    if (value instanceof Map || value instanceof Set) waiting.push(...[...value].flat())
    for (let holder = value; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
      for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(holder)))
        if (get || holder === value) waiting.push(key, readFrom(value, key))
  }
  return reached
}

/** Getters of built-in prototypes refuse other objects. */
function readFrom(value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key]
  } catch {
    return undefined
  }
}

/** Letters of a picture may form any text by chance. */
const withoutPictures = (key: string, value: unknown) => (key === 'data' || key.endsWith('_b64') ? '' : value)

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

function coloursIn(picture: { readonly width: number; pixels(): Uint8Array }, box: Box): Set<number> {
  const pixels = picture.pixels()
  const colours = new Set<number>()
  for (let y = box.y; y < box.y + box.height; y++)
    for (let x = box.x; x < box.x + box.width; x++) {
      const at = (y * picture.width + x) * 4
      colours.add((pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!)
    }
  return colours
}

describe('an element with another name in its scenario', () => {
  const written = { role: 'Edit', name: 'PIN of Ada' }
  const field = testElement({ id: 'pin', role: 'TextField', value: 'zebra77', traits: { authored: written } })
  const row = { id: 'r', role: 'Row', name: 'PIN of Bob' }
  const cell = testElement({ id: 'c', role: 'Cell', name: 'zebra77', traits: { writtenRow: row } })
  const tree = () =>
    testElement({ role: 'Window', children: [field, cell], traits: { authored: { role: 'Window', name: '' } } })

  it.each([
    ['element_name_patterns', 'PIN.*'],
    ['element_role_patterns', 'Edit|Row'],
  ])('[OB239] is hidden by %s for that name or role', async (key, pattern) => {
    const { ask } = realDesktop({ tree }, { redaction: { [key]: [pattern] } })
    const { body } = await ask('get_window_structure', { window_uid: 'front' })
    expect(JSON.stringify(body)).not.toContain('zebra77')
    const found = await ask('find_element', { window_uid: 'front', selector: '*[name*="Ada"]' })
    expect(found.fault?.code).toBe('ElementNotFound')
  })

  it('[OB239] has that name without what a text pattern matches', async () => {
    const { ask } = realDesktop({ tree }, { redaction: { ocr_text_patterns: ['Ada'] } })
    const found = await ask('find_element', { window_uid: 'front', selector: '*[name*="Ada"]' })
    expect(found.fault?.code).toBe('ElementNotFound')
    const byRole = await ask('find_element', { window_uid: 'front', selector: 'Edit' })
    expect(byRole.body).toMatchObject({ element_id: 'pin' })
  })
})

it('[OB106] covers hidden elements in a picture of all monitors of a real desktop', async () => {
  const monitorAt = (index: number, x: number) => ({
    index,
    primary: index === 0,
    bounds: { x, y: 0, width: 100, height: 20 },
    scaleFactor: 1,
  })
  const field = testElement({ id: 'pin', role: 'Edit', name: 'PIN', bounds: { x: -90, y: 5, width: 20, height: 10 } })
  const { ask } = realDesktop(
    {
      monitors: () => [monitorAt(0, 0), monitorAt(1, -100)],
      windows: () => [windowAt('left', -100, true)],
      tree: () => testElement({ children: [field] }),
      screenshot: () => fromPixels(200, 20, new Uint8Array(200 * 20 * 4).fill(255)),
    },
    { redaction: { element_name_patterns: ['PIN'], blur_screenshots: true } },
  )
  const { body } = await ask('get_screenshot', {})
  const picture = await fromPng(Buffer.from(String(body.data), 'base64'))
  expect(coloursIn(picture, { x: 10, y: 5, width: 20, height: 10 }).size).toBe(1)
  expect(coloursIn(picture, { x: 9, y: 4, width: 22, height: 12 }).size).toBe(2)
})
