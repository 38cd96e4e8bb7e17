import * as z from 'zod'

const Option = z.object({
  value: z.string().describe('What is answered when it is chosen').optional(),
  label: z.string(),
  description: z.string().optional(),
})

const Question = z.object({
  id: z.string().describe('What the answer is filed under').optional(),
  question: z.string(),
  header: z.string().describe('A word or two above the question').optional(),
  type: z.enum(['single', 'multiple', 'text', 'textarea']).default('single'),
  options: z.array(Option).default([]),
  required: z.boolean().optional(),
  placeholder: z.string().optional(),
  allow_other: z.boolean().describe('Whether an answer besides the options is welcome').optional(),
})

/** Questions that the agent asks the person all at once. */
export const QuestionForm = z.object({
  title: z.string().default('A question'),
  description: z.string().optional(),
  questions: z.array(Question).min(1),
})
export type QuestionForm = z.infer<typeof QuestionForm>

/** Answers filed under question ids: a value, or several. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** The id of a question: its own, or its position. */
export const questionId = (form: QuestionForm, index: number): string => form.questions[index]?.id ?? `q${index + 1}`

/** What the model reads of the answers; ids that are no question are left out. */
export function readAnswers(form: QuestionForm, answers: Answers): string {
  const lines = form.questions.map((question, index) => {
    const answer = answers[questionId(form, index)]
    const said = answer === undefined ? '(no answer)' : [answer].flat().join(', ')
    return `${question.question} ${said}`
  })
  return lines.join('\n')
}
