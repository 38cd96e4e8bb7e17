import { expect, expectTypeOf, it } from 'vitest'
import { rehearse } from '../testing.ts'
import { call } from './call.ts'

// The compiler checks the lines after @ts-expect-error: each of them must be wrong.

const desk = () =>
  rehearse(`
name: typed
states:
  only:
    windows: [{title: Typed, tree: {role: Window, name: Typed, children: [{id: save, role: Button, name: Save}]}}]`)

it('[TY1] types the arguments and the answer of a call by the schemas of the tool', async () => {
  const { session } = desk()
  const { body, fault } = await call(session, 'click_element', { selector: 'Button "Save"', count: 2 })
  if (fault) throw fault
  expectTypeOf(body.changed).toEqualTypeOf<boolean>()
  expectTypeOf(body.step_id).toEqualTypeOf<number>()
  expectTypeOf(body.added_later).toEqualTypeOf<unknown>()
  expect(body).toMatchObject({ ok: true, step_id: 1 })
  // @ts-expect-error: a number is no button of the mouse
  expect((await call(session, 'click_element', { button: 7 })).fault?.code).toBe('BadRequest')
  // @ts-expect-error: a selector is required
  expect((await call(session, 'find_element', {})).fault?.code).toBe('BadRequest')
  // @ts-expect-error: no tool has this name
  expect((await call(session, 'clik_element', {})).fault?.code).toBe('BadRequest')
})

it('[TY1] does not type the body of a refusal as an answer', async () => {
  const { body, fault } = await call(desk().session, 'get_screen_sketch', { window_title: 'Nowhere' })
  expectTypeOf(body.sketch).toEqualTypeOf<unknown>()
  expect([fault?.code, body.sketch]).toEqual(['WindowGone', undefined])
})

it('[TY2] takes anything for a name that is known only at run time', async () => {
  const name: string = 'list_windows'
  const { body } = await call(desk().session, name, { whatever: 1 })
  expectTypeOf(body.windows).toEqualTypeOf<unknown>()
  expect(body.ok).toBe(true)
})

it('[TY3] types the calls of a driver, whose arguments are optional where the tool requires none', async () => {
  const { do: act, ask } = desk()
  expectTypeOf((await act('get_screen_sketch')).sketch).toEqualTypeOf<string>()
  expectTypeOf((await ask('get_screen_sketch')).sketch).toEqualTypeOf<string | undefined>()
  // @ts-expect-error: find_element requires a selector
  await expect(act('find_element')).rejects.toMatchObject({ code: 'BadRequest' })
})
