import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { button, comboBox, desktop, edit, listItem, text, window } from '../../desktop/model/builders.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { evaluate, type OracleView } from '../predicate.ts'

// Rules such as [ORC1] are stated in README.md beside this file.

const screen = desktop(
  window(
    'Login',
    { uid: 'login' },
    edit('User', { id: 'user', value: 'alice' }),
    edit('Password', { id: 'password', value: 'hunter2', traits: { secret: true } }),
    text('Ghost', { id: 'ghost', traits: { hidden: true } }),
    comboBox('Fruit', { id: 'fruit', expanded: false }, listItem('Quince')),
    button('Go', { id: 'go' }),
    button('Go', { id: 'go-too' }),
  ),
  window('Clock', { uid: 'clock' }, text('14:00', { id: 'time' })),
)

const view: OracleView = {
  windows: () => screen.windows.map(({ uid, title }) => ({ uid, title, focused: uid === screen.active })),
  tree: (uid) => screen.windows.find((each) => each.uid === uid)?.tree,
}

const judged = async (predicate: unknown, on: OracleView = view) => {
  const { passed, observed } = await evaluate(predicate, on)
  return [passed, observed]
}

describe('a predicate', () => {
  it('[ORC1] finds elements, in the focused window or a named one', async () => {
    expect(await evaluate({ kind: 'element_exists', selector: 'Button "Go"' }, view)).toEqual({
      kind: 'element_exists',
      passed: true,
      observed: { count: 2, first_id: 'go' },
      args: { selector: 'Button "Go"' },
    })
    expect(await judged({ kind: 'element_exists', selector: 'Slider' })).toEqual([false, { count: 0, first_id: null }])
    expect(await judged({ kind: 'element_absent', selector: 'Slider' })).toEqual([true, { count: 0 }])
    expect(await judged({ kind: 'element_absent', selector: 'Text', window_uid: 'clock' })).toEqual([
      false,
      { count: 1 },
    ])
    expect(await judged({ kind: 'element_exists', selector: 'Text', window_uid: 'gone' })).toEqual([false, 'no tree'])
    expect(await judged({ kind: 'element_exists' })).toEqual([false, 'selector required'])
    expect(await judged({ kind: 'element_exists', selector: 'Button[' })).toEqual([
      false,
      expect.stringMatching(/^selector parse: /),
    ])
  })

  it('[ORC1] compares values', async () => {
    expect(await judged({ kind: 'value_equals', selector: 'Edit "User"', expected: 'alice' })).toEqual([
      true,
      { actual: 'alice' },
    ])
    expect(await judged({ kind: 'value_equals', selector: 'Button "Go"' })).toEqual([true, { actual: null }])
    expect(await judged({ kind: 'value_matches', selector: 'Edit "User"', regex: '(?i)LIC' })).toEqual([
      true,
      { actual: 'alice' },
    ])
    expect(await judged({ kind: 'value_equals', selector: 'Slider', expected: '' })).toEqual([false, 'no matches'])
  })

  it('[ORC1] looks at windows', async () => {
    expect(await judged({ kind: 'window_focused', title_regex: '^Log' })).toEqual([
      true,
      { window_uid: 'login', title: 'Login' },
    ])
    expect(await judged({ kind: 'window_focused', title_regex: 'Clock' })).toEqual([
      false,
      'focused window does not match',
    ])
    expect(await judged({ kind: 'window_exists', window_uid: 'clock' })).toEqual([
      true,
      { window_uid: 'clock', title: 'Clock' },
    ])
    expect(await judged({ kind: 'window_exists', title_regex: 'Error' })).toEqual([false, 'no matching window'])
  })

  it('[ORC1] compares tree hashes', async () => {
    const actual = treeHash(screen.windows[0]!.tree)
    expect(await judged({ kind: 'tree_hash_equals', expected_hash: actual })).toEqual([true, { actual }])
    expect(await judged({ kind: 'tree_hash_equals', expected_hash: 'x' })).toEqual([false, { actual }])
  })

  it('[ORC1] compares pictures if the view can', async () => {
    const predicate = { kind: 'screenshot_similar', reference_path: 'a.png' }
    const likeness = { ssim: 0.97, min_patch_ssim: 0.5 }
    expect(await judged(predicate, { ...view, similarity: () => likeness })).toEqual([true, likeness])
    expect(await judged({ ...predicate, min_ssim: 0.99 }, { ...view, similarity: () => likeness })).toEqual([
      false,
      likeness,
    ])
    const why = () => ({ difference_path: 'diff.png' })
    const strict = { ...predicate, min_patch_ssim: 0.9 }
    expect(await judged(strict, { ...view, similarity: () => ({ ...likeness, why }) })).toEqual([
      false,
      { ...likeness, difference_path: 'diff.png' },
    ])
    expect(await evaluate(predicate, view)).toEqual({
      kind: 'screenshot_similar',
      passed: false,
      observed: { unsupported: true, code: 'PredicateUnsupported', reason: 'pictures cannot be compared here' },
      error_code: 'PredicateUnsupported',
      args: { reference_path: 'a.png' },
    })
    expect(await judged({ kind: 'screenshot_similar' })).toEqual([false, 'reference_path and window required'])
  })

  it('[ORC4] calls no method that a value brings along', async () => {
    const own = { toString: null, valueOf: 1 }
    expect(await evaluate({ kind: own }, view)).toMatchObject({ kind: JSON.stringify(own), passed: false })
    const named = { kind: 'value_equals', selector: 'Edit "User"' }
    expect((await judged({ ...named, expected: own }))[0]).toBe(false)
    expect((await judged({ ...named, expected: 'alice', window_uid: own }))[0]).toBe(false)
    expect((await judged({ ...named, expected: 'alice' }))[0]).toBe(true)
  })

  it('[ORC1] may be anything', async () => {
    expect(await evaluate('text', view)).toEqual({ kind: '?', passed: false, observed: 'predicate must be a mapping' })
    expect(await evaluate({ kind: 'toString', a: 1 }, view)).toEqual({
      kind: 'toString',
      passed: false,
      observed: 'unknown predicate kind',
      args: { kind: 'toString', a: 1 },
    })
    expect(await judged({ kind: 'text_visible', regex: '(' })).toEqual([
      false,
      expect.stringMatching(/^error: BadRequest: /),
    ])
    expect(await judged({ kind: 'text_visible' })).toEqual([
      false,
      'error: BadRequest: regex is missing; expected text',
    ])
  })

  it('[ORC2] sees the text that is shown, and no other', async () => {
    const seen = (regex: string) => judged({ kind: 'text_visible', regex })
    expect(await seen('User alice')).toEqual([true, { source: 'tree', element_id: 'user' }])
    for (const regex of ['^User alice$', '^Go$']) expect((await seen(regex))[0]).toBe(true)
    for (const regex of ['hunter2', 'Ghost', 'Quince', '14:00']) expect(await seen(regex)).toEqual([false, 'no match'])
  })

  it('[ORC2] recognises text in the picture if the view can', async () => {
    const reading: OracleView = { ...view, ocr: async () => 'painted words' }
    const predicate = { kind: 'text_visible', regex: 'painted' }
    expect(await judged(predicate, reading)).toEqual([true, { source: 'ocr' }])
    expect(await judged({ ...predicate, mode: 'tree' }, reading)).toEqual([false, 'no match'])
    const blind: OracleView = {
      ...view,
      ocr: () => {
        throw new Fault('PlatformUnsupported', 'no eyes')
      },
    }
    expect(await judged({ ...predicate, mode: 'ocr' }, blind)).toEqual([
      false,
      { ocr_error: 'no eyes', hint: 'use mode "tree"' },
    ])
    expect(await judged(predicate, blind)).toEqual([false, 'no match'])
  })
})

describe('a predicate about what is behind the screen', () => {
  const stores: OracleView = {
    ...view,
    file: (path) => ({ '/a.txt': 'alpha', '/docs': null })[path],
    clipboard: () => 'copied',
  }

  it('[ORC3] looks at files and at the clipboard', async () => {
    expect(await judged({ kind: 'file_exists', path: '/docs' }, stores)).toEqual([true, { exists: true }])
    expect(await judged({ kind: 'file_absent', path: '/docs' }, stores)).toEqual([false, { exists: true }])
    expect(await judged({ kind: 'file_equals', path: '/a.txt', expected: 'alpha' }, stores)).toEqual([
      true,
      { actual: 'alpha' },
    ])
    expect(await judged({ kind: 'file_equals', path: '/none', expected: '' }, stores)).toEqual([
      false,
      { actual: null },
    ])
    expect(await judged({ kind: 'clipboard_equals', expected: 'copied' }, stores)).toEqual([true, { actual: 'copied' }])
  })

  it('[ORC3] is unsupported where they cannot be seen', async () => {
    const { passed, error_code } = await evaluate({ kind: 'file_exists', path: '/a.txt' }, view)
    expect([passed, error_code]).toEqual([false, 'PredicateUnsupported'])
    expect((await evaluate({ kind: 'clipboard_equals', expected: '' }, view)).error_code).toBe('PredicateUnsupported')
  })
})
