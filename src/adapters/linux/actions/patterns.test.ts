import { expect, it } from 'vitest'
import { Fault } from '../../../base/fault.ts'
import type { ElementSource } from '../accessibility/element-tree.ts'
import { ROLE } from '../accessibility/roles.ts'
import type { Bus, BusMethod } from '../dbus.ts'
import { doClickAction } from './patterns.ts'

const BUTTON: ElementSource = {
  ref: { bus: ':1.1', path: '/button' },
  patterns: new Set(['Action']),
  role: ROLE.pushButton,
  states: [],
}

/** A button whose action opens a menu, and is not answered while that is open. */
const buttonOf = (answersOthers: boolean): Bus =>
  ({
    async tryCall(_, { member }: BusMethod, ...[, property]: readonly unknown[]) {
      if (property === 'NActions') return 1
      if (member === 'GetName') return 'Press'
      if (member === 'GetState' && answersOthers) return [0, 0]
      throw new Fault('Timeout', 'the application has not answered for 700 ms')
    },
  }) as Bus

it('[LX19] an action that is not answered is performed when its program answers other calls', async () => {
  expect(await doClickAction(buttonOf(true), BUTTON)).toBe(true)
  await expect(doClickAction(buttonOf(false), BUTTON)).rejects.toMatchObject({ code: 'Timeout' })
})
