import { expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { openDesktop } from '../testing.ts'
import { call } from './call.ts'
import { defineTool } from './tool.ts'
import type { ContextOf } from './tool-context.ts'

// The compiler checks the lines after @ts-expect-error: each of them must be wrong.

const desk = () =>
  openDesktop({
    scenario: `
name: typed
states:
  only:
    windows: [{title: Typed, tree: {role: Window, name: Typed, children: [{id: save, role: Button, name: Save}]}}]`,
  })

it('[OB297] types the arguments and the result of a call by the schemas of the tool', async () => {
  const { session } = desk()
  const { body, fault } = await call(session, 'click_element', { selector: 'Button "Save"', count: 2 })
  if (fault) throw fault
  expectTypeOf(body.changed).toEqualTypeOf<boolean>()
  expectTypeOf(body.step_id).toEqualTypeOf<number>()
  expectTypeOf(body.added_later).toEqualTypeOf<unknown>()
  expect(body).toMatchObject({ ok: true, step_id: 1 })
  // @ts-expect-error: a number is not a mouse button
  expect((await call(session, 'click_element', { button: 7 })).fault?.code).toBe('BadRequest')
  // @ts-expect-error: a selector is required
  expect((await call(session, 'find_element', {})).fault?.code).toBe('BadRequest')
  // @ts-expect-error: no tool has this name
  expect((await call(session, 'clik_element', {})).fault?.code).toBe('BadRequest')
})

it('[OB297] does not type the body of a refusal as a result', async () => {
  const { body, fault } = await call(desk().session, 'get_screen_sketch', { window_title: 'Nowhere' })
  expectTypeOf(body.sketch).toEqualTypeOf<unknown>()
  expect([fault?.code, body.sketch]).toEqual(['WindowGone', undefined])
})

it('[OB298] accepts any arguments for a name that is known only at run time', async () => {
  const name: string = 'list_windows'
  const { body } = await call(desk().session, name, { whatever: 1 })
  expectTypeOf(body.windows).toEqualTypeOf<unknown>()
  expect(body.ok).toBe(true)
})

it('[OB299] types the calls of a driver, whose arguments are optional where the tool requires none', async () => {
  const { call: act, tryCall: ask } = desk()
  expectTypeOf((await act('get_screen_sketch')).sketch).toEqualTypeOf<string>()
  expectTypeOf((await ask('get_screen_sketch')).sketch).toEqualTypeOf<string | undefined>()
  // @ts-expect-error: find_element requires a selector
  await expect(act('find_element')).rejects.toMatchObject({ code: 'BadRequest' })
})

it('[OB300] gives a tool only the parts of the session that its context names', async () => {
  const { session } = desk()
  const common = { name: 'finish', kind: 'look', summary: '', input: z.object({}), faults: [] } as const
  const tool = defineTool({
    ...common,
    output: z.object({ steps: z.int() }),
    run: (_, context: ContextOf<'episode'>) => ({ steps: context.episode.actions }),
  })
  const call = {
    input: {},
    watch: {},
    stepId: 1,
    nextStep: () => 2,
    preview: () => Promise.reject(),
    call: () => Promise.reject(),
  }
  expect(tool.run(call, session.context)).toEqual({ steps: 0 })
  // @ts-expect-error: the budget is not among the parts that were named
  defineTool({ ...common, output: z.object({}), run: (_, context: ContextOf<'episode'>) => ({ left: context.budget }) })
  // @ts-expect-error: without a type the context has no parts
  defineTool({ ...common, output: z.object({}), run: (_, context) => ({ left: context.budget }) })
  // @ts-expect-error: a session has no such part
  defineTool({
    ...common,
    output: z.object({}),
    run: (_, context: { readonly mouse: string }) => ({ at: context.mouse }),
  })
})
