import { expect, it } from 'vitest'
import { createElementIds, createMenuPresses, matchWindows } from './window-trees.ts'

const ref = (path: string) => ({ bus: ':1.1', path })

it('[LX78] gives elements ids that contain the number of their window', () => {
  const [first, second] = [createElementIds(1), createElementIds(2)]
  expect([first(ref('/a')), first(ref('/b')), second(ref('/a'))]).toEqual(['w1-e1', 'w1-e2', 'w2-e1'])
})

it('[LX13] [LX78] gives an object the same id each time', () => {
  const idOf = createElementIds(3)
  expect([idOf(ref('/a')), idOf(ref('/b')), idOf(ref('/a'))]).toEqual(['w3-e1', 'w3-e2', 'w3-e1'])
})

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const window = (title: string, inner = rect(0, 0, 400, 300), popup = false) => ({ title, bounds: inner, inner, popup })

it('matches windows by title, in any order', () => {
  const frames = [
    { name: 'B', extents: rect(0, 0, 400, 300) },
    { name: 'A', extents: rect(0, 0, 400, 300) },
  ]
  expect(matchWindows([window('A'), window('B')], frames)).toEqual([1, 0])
})

it('distinguishes windows with the same title by size, then by position', () => {
  const windows = [
    window('Same', rect(0, 0, 400, 300)),
    window('Same', rect(0, 0, 200, 100)),
    window('Same', rect(500, 0, 200, 100)),
  ]
  const frames = [
    { name: 'Same', extents: rect(501, 0, 200, 100) },
    { name: 'Same', extents: rect(1, 2, 200, 100) },
    { name: 'Same', extents: rect(0, 0, 405, 300) },
  ]
  expect(matchWindows(windows, frames)).toEqual([2, 1, 0])
})

it('matches a window without a title with the remaining accessible window', () => {
  expect(matchWindows([window('gtk3-widget-factory')], [{ name: '', extents: undefined }])).toEqual([0])
})

it('leaves a popup unmatched rather than mismatched', () => {
  const menu = window('', rect(10, 10, 90, 40), true)
  const frames = [
    { name: '', extents: rect(0, 0, 400, 300) },
    { name: '', extents: rect(10, 10, 90, 40) },
  ]
  expect(matchWindows([menu, window('App')], frames)).toEqual([1, 0])
  expect(matchWindows([menu, window('App')], frames.slice(0, 1))).toEqual([undefined, 0])
})

it('[LX58a] knows the press that has opened a context menu until the menu is closed', () => {
  const screen = rect(0, 0, 1280, 800)
  const press = (atMs: number, isLatest: boolean) => ({ at: { x: 5, y: 5 }, screen, atMs, isLatest })
  const pressOf = createMenuPresses()
  expect(pressOf(undefined, true)).toBeUndefined()
  // The menu opens a moment later, and stays open while keys are pressed in it.
  expect(pressOf(press(1, true), false)).toBeUndefined()
  expect(pressOf(press(1, true), true)?.atMs).toBe(1)
  expect(pressOf(press(1, false), true)?.atMs).toBe(1)
  // Once it was closed, another menu was opened by something else.
  expect(pressOf(press(1, false), false)).toBeUndefined()
  expect(pressOf(press(1, false), true)).toBeUndefined()
  // So was one that is first seen after other input.
  expect(pressOf(press(2, false), true)).toBeUndefined()
  expect(pressOf(press(3, true), true)?.atMs).toBe(3)
})
