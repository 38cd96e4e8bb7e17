import { expect, it } from 'vitest'
import { QuestionForm } from '../../agent/events.ts'
import { toAnswers } from './translate.ts'

const OPTIONS = [{ label: 'Red' }, { label: 'Green', value: 'green' }]

it.each([
  [{ type: 'single' }, 'Red', true],
  [{ type: 'single' }, 'green', true],
  [{ type: 'single' }, 'Green', false],
  [{ type: 'single' }, ['Red', 'green'], false],
  [{ type: 'single', allow_other: true }, 'Blue', true],
  [{ type: 'multiple' }, ['Red', 'green'], true],
  [{ type: 'multiple' }, ['Red', 'Blue'], false],
  [{ type: 'single', options: [] }, 'Blue', true],
  [{ type: 'text', options: [] }, 'Blue', true],
])('[C-X13] a question %j takes the answer %j: %s', (question, answer, isTaken) => {
  const form = QuestionForm.parse({ questions: [{ id: 'q', question: 'Which?', options: OPTIONS, ...question }] })
  expect(toAnswers(form, { q: answer }).answers).toEqual(isTaken ? { q: answer } : {})
})
