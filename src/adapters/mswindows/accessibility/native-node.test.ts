import { describe, expect, it } from 'vitest'
import { hwndOf, windowsUid } from '../native-windows.ts'
import { itemRange } from './controls/control.ts'
import { createWindowElementIds, labelName, type NativeNode, parseLabel, toNativeTree } from './native-node.ts'

describe('labels', () => {
  it('[WA2] have no accelerator in their name', () => {
    expect(parseLabel('&Save as…\tCtrl+S')).toEqual({ name: 'Save as…', accessKey: 'Alt+S', shortcut: 'Ctrl+S' })
    expect(parseLabel('C&olour:')).toEqual({ name: 'Colour:', accessKey: 'Alt+O' })
    expect(parseLabel('Salt && pepper')).toEqual({ name: 'Salt & pepper' })
    expect(parseLabel('Salt && &pepper')).toEqual({ name: 'Salt & pepper', accessKey: 'Alt+P' })
    expect(parseLabel('ファイル(&F)')).toEqual({ name: 'ファイル', accessKey: 'Alt+F' })
    expect(parseLabel('Żółć')).toEqual({ name: 'Żółć' })
  })

  it('[WA3] name the control behind them without a colon', () => {
    expect(['&First name:', 'Prénom :', '名前：', 'Count'].map(labelName)).toEqual([
      'First name',
      'Prénom',
      '名前',
      'Count',
    ])
  })
})

const node = (key: string, more: Partial<NativeNode> = {}): NativeNode => ({
  key,
  role: 'Pane',
  name: key,
  bounds: { x: 0, y: 0, width: 1, height: 1 },
  source: { is: 'window', hwnd: 1 },
  children: [],
  ...more,
})

describe('elements of a window', () => {
  it('[WA5] keep their ids when others appear before them', () => {
    const ids = createWindowElementIds(2)
    const idsOf = (root: NativeNode) => toNativeTree(root, ids).tree.children.map(({ id }) => id)
    expect(idsOf(node('root', { children: [node('a'), node('b')] }))).toEqual(['w2-e1', 'w2-e2'])
    expect(idsOf(node('root', { children: [node('c'), node('b')] }))).toEqual(['w2-e3', 'w2-e2'])
  })

  it('[WA5] are focused only innermost, and have the source of their node', () => {
    const inner = node('inner', { focused: true, source: { is: 'menu', hwnd: 7, position: 0 } })
    const { tree, sources } = toNativeTree(
      node('root', { children: [node('outer', { focused: true, children: [inner] })] }),
      createWindowElementIds(1),
    )
    expect([tree.focused, tree.children[0]!.focused, tree.children[0]!.children[0]!.focused]).toEqual([
      ...[false, false],
      true,
    ])
    expect(sources.get('w1-e2')).toEqual({ is: 'menu', hwnd: 7, position: 0 })
  })

  it('[WA6] are addressed by a uid of process and handle', () => {
    expect(windowsUid(280, 65646)).toBe('win:280:65646')
    expect(['win:280:65646', 'win:280', 'x11:0x1', 'win:1:2:3'].map(hwndOf)).toEqual([65646, ...Array(3)])
  })

  it('[WA7] of a long control are those in view', () => {
    expect(itemRange(200, 50, 10)).toEqual({ from: 0, to: 200, cut: false })
    expect(itemRange(10_000, 50, 10)).toEqual({ from: 50, to: 60, cut: true })
    expect(itemRange(10_000, 9_995, 10)).toEqual({ from: 9_995, to: 10_000, cut: true })
  })
})
