import type { ChatMessage, ImageContent } from '../agent/history/history.ts'
import type { AnswerCall } from '../agent/models/answer.ts'
import type { ModelAnswer } from '../agent/models/client.ts'
import { answerMessage, resultMessage } from '../agent/models/endpoint-model.ts'
import type { Screen } from './observation.ts'

/** A result as the model receives it. */
interface ShownResult {
  readonly ok: boolean
  readonly text: string
  readonly images?: readonly ImageContent[] | undefined
}

/** A message, and the screen that it shows. */
interface Entry {
  readonly message: ChatMessage
  readonly screen: Screen | undefined
}

/** The messages to the model, with a limited number of screenshots. */
export class AgentConversation {
  readonly #entries: Entry[] = []
  readonly #maxScreenshots: number

  constructor(maxScreenshots: number) {
    this.#maxScreenshots = maxScreenshots
  }

  addUser(text: string, screen?: Screen): void {
    this.#entries.push({ message: { role: 'user', text, atMs: 0 }, screen })
  }

  addAnswer(answer: ModelAnswer, dialect: string): void {
    this.#entries.push({ message: answerMessage(answer, dialect), screen: undefined })
  }

  addResult(call: AnswerCall, { ok, text, images }: ShownResult, screen?: Screen): void {
    this.#entries.push({ message: resultMessage(call, { ok, text, ...(images && { images }) }), screen })
  }

  /** Returns the messages. The newest screens keep their pictures, and the newest one its tree. */
  messages(): readonly ChatMessage[] {
    const screens = this.#entries.flatMap(({ screen }) => screen ?? [])
    return this.#entries.map(({ message, screen }) => {
      if (!screen || message.role === 'assistant') return message
      const age = screens.length - 1 - screens.indexOf(screen)
      const hasPicture = screen.image !== undefined && age < this.#maxScreenshots
      const shown = age === 0 ? screen.text : hasPicture ? 'The screen at this time:' : OLD_SCREEN
      return {
        ...message,
        text: [message.text, shown].filter((part) => part !== '').join('\n\n'),
        ...(hasPicture && { images: [...(message.images ?? []), screen.image!] }),
      }
    })
  }
}

const OLD_SCREEN = '(The screen of this time is not shown any more.)'
