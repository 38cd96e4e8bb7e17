import { describe, expect, it } from 'vitest'
import { treeHash } from '../../desktop/tree/hash.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC3] are stated in ../SPEC.md. compose/verify/gallery.test.ts and observer-rest/gallery.long.ts load the gallery.

describe('a loaded scenario', () => {
  it('[SC11] reads numbers and booleans as text where text is expected', () => {
    const { states } = parseScenario(
      'states: {1: {windows: [{uid: 7, title: 2024, tree: {name: true, value: 5.0, children: [{id: 1, value: ~}]}}]}}',
    )
    const window = states.get('1')!.windows[0]!
    expect([window.uid, window.title, window.tree.name, window.tree.value]).toEqual(['7', '2024', 'true', '5.0'])
    expect(window.tree.children[0]).toMatchObject({ id: '1', value: null })
  })

  it('[SC46] reads the task, tags and difficulty', () => {
    const { task, tags, difficulty } = parseScenario('task: 5\ntags: [forms, 2]\ndifficulty: hard\nstates: {a: {}}')
    expect({ task, tags, difficulty }).toEqual({ task: '5', tags: ['forms', '2'], difficulty: 'hard' })
    expect(parseScenario('states: {a: {}}')).toMatchObject({ task: undefined, tags: [], difficulty: undefined })
    expect(() => parseScenario('difficulty: hrd\nstates: {a: {}}')).toThrow('one of easy, medium, hard, found "hrd"')
  })

  it('[SC13] fills in defaults', () => {
    const { initial, states } = parseScenario('states: {one: {windows: [{}]}, two: }')
    expect(initial).toBe('one')
    expect(states.get('two')!.windows).toEqual([])
    const [window] = states.get('one')!.windows
    expect(window).toMatchObject({ uid: 'mock:one', title: '', process: 'scenario.exe', pid: 10000 })
    expect(treeHash(window!.tree)).toBe('sha1:288cf2f4a9e135970ed87c00274d22e65ceb2555')
  })

  it('[SC14] gives a window the same handle in every state', () => {
    const { states } = parseScenario(
      'states: {a: {windows: [{uid: x}, {uid: y}]}, b: {windows: [{uid: y}, {uid: z}, {uid: x}]}}',
    )
    const handles = [...states.values()].map(({ windows }) => windows.map(({ uid, handle }) => uid + handle))
    expect(handles).toEqual([
      ['x1000', 'y1001'],
      ['y1001', 'z1002', 'x1000'],
    ])
  })

  it('[SC15] keeps title bars off elements at the top of a window', () => {
    const frame = (top: number, child: number) => {
      const bounds = (y: number) => `{x: 0, y: ${y}, width: 200, height: 100}`
      const text = `states: {a: {windows: [{bounds: ${bounds(top)}, tree: {children: [{bounds: ${bounds(child)}}]}}]}}`
      return parseScenario(text).states.get('a')!.windows[0]!.frame
    }
    expect([frame(100, 132), frame(100, 100), frame(0, 10)]).toEqual(['inside', 'outside', 'none'])
  })
})
