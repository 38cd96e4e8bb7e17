import assert from 'node:assert/strict'
import * as z from 'zod'
import { parseAs } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import { ActionData, Disposition } from '../contract.ts'
import { sources } from '../document.ts'
import { ask, freshRef, onData, onPrinted } from '../driver.ts'

const NEEDS = ['process:success', 'snapshot:data']
const Value = z.looseObject({ value: z.unknown() })
const Answer = z.looseObject({ property: z.string(), result: z.boolean() })

/** Commands that act on a ref. */
export const actionRules = defineRules('action', NEEDS, {
  click: {
    level: 'MUST',
    text: 'A click answers its action.',
    source: sources.commands,
    basis: { states: 'The data of an action have action.' },
    covers: ['AD-A1'],
    check: async (context) => {
      await ask(context, z.looseObject({ action: z.string() }), 'click', await freshRef(context, 'button'))
    },
    sabotage: {
      'answers clicks without data': onData('click', (data) => {
        delete data.action
      }),
    },
  },

  disposition: {
    level: 'MUST',
    text: 'From version 2.5 on, the data of an action say how far it came.',
    source: sources.process,
    basis: { states: 'Since version 2.5 the data of actions have a disposition.' },
    covers: ['AD-A1', 'AD-E17'],
    needs: ['action:click'],
    check: async (context) => {
      const { version } = JSON.parse((await context.run('status')).stdout)
      if (Number(String(version).split('.')[1]) < 5) return
      const { disposition } = await ask(context, ActionData, 'click', await freshRef(context, 'button'))
      const { delivery } = parseAs(Disposition, disposition, 'the disposition')
      assert.match(delivery, /^deliver/, 'the delivery of a click that was performed')
    },
    sabotage: {
      'calls performed clicks not delivered': onData('click', (data) => {
        data.disposition = { delivery: 'not_delivered', retry: 'safe' }
      }),
      'omits the disposition of clicks': onData('click', (data) => {
        delete data.disposition
      }),
    },
  },

  value: {
    level: 'MUST',
    text: 'A text field takes a value, and typed text after it.',
    source: sources.table,
    basis: { states: 'A text field accepts value and type.' },
    covers: ['AD-A2', 'AD-X2'],
    check: async (context) => {
      const ref = await freshRef(context, 'field')
      const read = async () => (await ask(context, Value, 'get', ref, '--property', 'value')).value
      await ask(context, ActionData, 'set-value', ref, 'Ada')
      assert.equal(await read(), 'Ada', 'the value after set-value')
      await ask(context, ActionData, 'type', ref, ' Lovelace')
      assert.equal(await read(), 'Ada Lovelace', 'the value after type')
      await ask(context, ActionData, 'clear', ref)
      assert.equal((await read()) ?? '', '', 'the value after clear')
    },
    sabotage: {
      'reads the value of before': onData('get', (data) => {
        if (data.property === 'value' && typeof data.value === 'string') data.value = data.value.slice(0, -1)
      }),
    },
  },

  toggle: {
    level: 'MUST',
    text: 'check ticks a box, uncheck unticks it, and either leaves a box that is so already.',
    source: sources.commands,
    basis: { states: 'check and uncheck bring a box into a state; toggle changes it.' },
    covers: ['AD-A2', 'AD-X2'],
    check: async (context) => {
      const ref = await freshRef(context, 'checkbox')
      const isChecked = async () => (await ask(context, Answer, 'is', ref, '--property', 'checked')).result
      for (const [command, wanted] of [
        ['check', true],
        ['check', true],
        ['uncheck', false],
        ['uncheck', false],
      ] as const) {
        const run = await context.run(command, ref)
        assert.equal(run.exit, 0, `${command} exits with ${run.exit}`)
        assert.equal(await isChecked(), wanted, `whether the box is ticked after ${command}`)
      }
    },
    sabotage: {
      'turns states round': onData('is', (data) => {
        data.result = !data.result
      }),
      'refuses to tick what is ticked': {
        changeRun: (() => {
          let before = ''
          return (run) => {
            const [command = ''] = run.words
            if (command === 'check' && before === 'check') run.exit = 1
            if (['check', 'uncheck'].includes(command)) before = command
          }
        })(),
      },
    },
  },

  properties: {
    level: 'MUST',
    text: 'get answers the property that it was asked for, and its value.',
    source: sources.commands,
    basis: { states: 'The data of get are the property, the ref and the value.' },
    covers: ['AD-X2'],
    check: async (context) => {
      const ref = await freshRef(context, 'button')
      const Role = z.looseObject({ property: z.literal('role'), ref: z.string(), value: z.string() })
      assert.deepEqual(await ask(context, z.object(Role.shape), 'get', ref, '--property', 'role'), {
        property: 'role',
        ref,
        value: 'button',
      })
    },
    sabotage: {
      'names no property': onData('get', (data) => {
        if (data.property === 'role') delete data.property
      }),
    },
  },

  applicable: {
    level: 'MUST',
    text: 'is says whether the property applies.',
    source: sources.commands,
    basis: { states: 'The data of is are property, ref, result and applicable.' },
    covers: ['AD-X2'],
    check: async (context) => {
      const Applied = Answer.extend({ applicable: z.boolean() })
      const ref = await freshRef(context, 'button')
      const { result, applicable } = await ask(context, Applied, 'is', ref, '--property', 'enabled')
      assert.deepEqual({ result, applicable }, { result: true, applicable: true })
    },
    sabotage: {
      'does not say whether a property applies': onPrinted((value) => {
        if (value.command === 'is' && value.ok) delete value.data.applicable
      }),
    },
  },
})
