import { describe, expect, it } from 'vitest'
import { checkScenario } from '../scenario/load/load.ts'
import { includeForText } from './applications.ts'
import { scaffoldScenario, scaffoldSources, tasksOfApplication } from './scaffold.ts'
import { verifyScenario } from './verify/verify.ts'

// Rules such as [CP9] are stated in README.md.

const checked = (text: string) => checkScenario(text, { file: 'new.yaml', include: includeForText })
const refusal = (file: string, choice: Parameters<typeof scaffoldScenario>[1]): string => {
  try {
    return scaffoldScenario(file, choice)
  } catch (error) {
    return (error as Error).message
  }
}

describe('scaffoldScenario', () => {
  it('[CP9] [CP10] [CP11] writes a form that proves itself, whatever its fields are called', async () => {
    const fields = ['Full name', 'Work e-mail', 'City', 'From', 'If']
    const { scenario, warnings } = checked(scaffoldScenario('forms/leave-request.yaml', { from: 'form', fields }))
    expect(warnings([])).toEqual([])
    expect(scenario.task).toMatch(
      /^Fill in the form and send it\. Full name: \S.*, Work e-mail: \S+@\S+, City: \S.*, From: \w+, If: \w+\.$/,
    )
    expect((await verifyScenario(scenario)).filter(({ passed }) => !passed)).toEqual([])
  })

  it.each(scaffoldSources().filter((name) => name !== 'form'))(
    '[CP9] [CP13] writes a task of %s under another name',
    (from) => {
      const tasks = tasksOfApplication(from)
      const text = scaffoldScenario('mine.yaml', { from, task: tasks.at(-1) })
      expect(text.split('\n').slice(0, 2)).toEqual([
        '# yaml-language-server: $schema=docs/reference/scenario.schema.json',
        'name: mine',
      ])
      expect(checked(text).scenario.name).toBe('mine')
    },
  )

  it('[CP12] says what would be right', () => {
    expect([
      refusal('My form.yaml', { from: 'form' }),
      refusal('a.yaml', { from: 'male' }),
      refusal('a.yaml', { from: 'contacts', task: 'contacts-ad' }),
      refusal('a.yaml', { from: 'contacts', fields: ['Name'] }),
      refusal('a.yaml', { from: 'form', task: 'contacts-add' }),
      refusal('a.yaml', { from: 'form', fields: ['a', 'A'] }),
      refusal('a.yaml', { from: 'form', fields: ["it's"] }),
    ]).toEqual([
      '"My form" is not a valid scenario name; use lowercase letters, digits and "-", such as my-form.yaml',
      expect.stringMatching(/^a scenario cannot start from "male"; (did you mean "mail"|there are form, )/),
      'contacts has no task "contacts-ad"; did you mean "contacts-add"?',
      'fields are for a form; contacts has the tasks contacts-add, contacts-change-number, contacts-delete',
      'a form has no task to start from; name its fields, or start from an application',
      'two of the fields a, A have the same name; give each a label of its own',
      'use 1 to 8 fields with labels of letters, digits and blanks, such as Name, Department',
    ])
  })
})
