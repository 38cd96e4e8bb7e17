import * as z from 'zod'

const Option = z.object({
  value: z.string().describe('The answer if this option is chosen').optional(),
  label: z.string(),
  description: z.string().optional(),
})

const Question = z.object({
  id: z.string().describe('The key of the answer').optional(),
  question: z.string(),
  header: z.string().describe('A word or two above the question').optional(),
  type: z.enum(['single', 'multiple', 'text', 'textarea']).default('single'),
  options: z.array(Option).default([]),
  required: z.boolean().optional(),
  placeholder: z.string().optional(),
  allow_other: z.boolean().describe('Whether other answers than the options are allowed').optional(),
})

/** Questions that the agent asks the user in one form. */
export const QuestionForm = z.object({
  title: z.string().default('A question'),
  description: z.string().optional(),
  questions: z.array(Question).min(1),
})
export type QuestionForm = z.infer<typeof QuestionForm>

/** Answers by question id: one value or several. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** Returns the id of a question, or its position if it has none. */
export const questionId = (form: QuestionForm, index: number): string => form.questions[index]?.id ?? `q${index + 1}`

/** Formats the answers for the model. Ignores ids without a question. */
export function readAnswers(form: QuestionForm, answers: Answers): string {
  const lines = form.questions.map((question, index) => {
    const answer = answers[questionId(form, index)]
    const given = answer === undefined ? '(no answer)' : [answer].flat().join(', ')
    return `${question.question} ${given}`
  })
  return lines.join('\n')
}
