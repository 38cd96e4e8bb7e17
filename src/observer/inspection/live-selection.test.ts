import { describe, expect, it } from 'vitest'
import { type Element, pathOf, walk } from '../../desktop/model/element.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { openDesktop } from '../../testing.ts'
import { bestSelector, liveSelection } from './live-selection.ts'

// Rules such as [OB289] are stated in SPEC.md of the observer.

const DESK = `
states:
  only:
    windows:
      - uid: app
        title: App
        tree:
          role: Window
          name: App
          children:
            - {id: left, role: Group, name: Left, children: [{id: a, role: Button, name: Go}, {id: c, role: Button, name: "Say \\"hi\\""}]}
            - {id: right, role: Group, name: Right, children: [{id: b, role: Button, name: Go}, {id: img1, role: Image}, {id: img2, role: Image}]}
            - {role: Group, children: [{role: Image}, {role: Image}]}
`

const select = (request: object, config = {}) =>
  liveSelection(openDesktop({ scenario: DESK, config }).session.context, request)

describe('the selector tester', () => {
  it('[OB289] has the matches of a selector', async () => {
    expect(await select({ selector: 'Button "Go"' })).toMatchObject({
      window_uid: 'app',
      selector: 'Button[name="Go"]',
      count: 2,
      matches: [
        { element_id: 'a', role: 'Button', name: 'Go', bounds: expect.objectContaining({ width: expect.any(Number) }) },
        { element_id: 'b' },
      ],
      error: null,
    })
    expect(await select({ selector: 'Edit' })).toMatchObject({ count: 0, matches: [], error: null })
  })

  it('[OB289] has the error of a selector with its column', async () => {
    expect(await select({ selector: 'Button[nam="Go"]' })).toMatchObject({
      selector: null,
      count: 0,
      error: { column: 8, message: expect.stringContaining('expected a key') },
    })
    expect(await select({ selector: 'x'.repeat(10_001) })).toMatchObject({ error: { column: null } })
  })

  it('[OB289] refuses unknown windows, unknown ids and what the operator denies', async () => {
    await expect(select({ selector: 'Button', windowUid: 'none' })).rejects.toMatchObject({ code: 'WindowGone' })
    await expect(select({ elementId: 'none' })).rejects.toMatchObject({ code: 'ElementNotFound' })
    const denied = select({ selector: 'Button' }, { actions: { deny: ['find_element'] } })
    await expect(denied).rejects.toMatchObject({ code: 'PermissionDenied' })
  })

  it('[OB290] writes role and name, then an ancestor, then the id, then the path', async () => {
    const selectorOf = async (elementId: string) => (await select({ elementId })).selector
    expect(await Promise.all(['left', 'a', 'b', 'img1', 'root.2.1', 'c', 'root'].map(selectorOf))).toEqual([
      'Group "Left"',
      'Group "Left" Button "Go"',
      'Group "Right" Button "Go"',
      '*[id="img1"]',
      'Window[name="App"]/Group[index=2]/Image[index=1]',
      'Button[name="Say \\"hi\\""]',
      'Window "App"',
    ])
  })

  it.each(['form', 'table', 'login'])('[OB290] finds each element of %s alone', (scenario) => {
    const { computer } = openDesktop({ scenario })
    for (const { uid } of computer.windows()) {
      const tree = computer.tree(uid)!
      const elements: Element[] = [...walk(tree)]
      for (const element of elements) {
        const path = pathOf(tree, element.id)!
        expect(querySelectorAll(tree, bestSelector(tree, path)).map((match) => match.path)).toEqual([path])
      }
    }
  })
})
