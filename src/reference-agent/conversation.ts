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

/** A message, and what is kept of the screen that it shows. */
interface Entry {
  readonly message: ChatMessage
  readonly screen?: Pick<Screen, 'text' | 'image'> | undefined
}

/** The messages to the model, with a limited number of screenshots. */
export class AgentConversation {
  #entries: readonly Entry[] = []
  readonly #maxScreenshots: number

  constructor(maxScreenshots: number) {
    this.#maxScreenshots = maxScreenshots
  }

  addUser(text: string, screen?: Screen): void {
    this.#add({ role: 'user', text, atMs: 0 }, screen)
  }

  addAnswer(answer: ModelAnswer, dialect: string): void {
    this.#add(answerMessage(answer, dialect))
  }

  addResult(call: AnswerCall, { ok, text, images }: ShownResult, screen?: Screen): void {
    this.#add(resultMessage(call, { ok, text, ...(images && { images }) }), screen)
  }

  /** Returns the messages. The newest screens keep their pictures, and the newest one its tree. */
  messages(): readonly ChatMessage[] {
    return this.#entries.map(({ message, screen }) => {
      if (!screen || message.role === 'assistant') return message
      const { text, image } = screen
      return {
        ...message,
        text: [message.text, text].filter((part) => part !== '').join('\n\n'),
        ...(image && { images: [...(message.images ?? []), image] }),
      }
    })
  }

  /** Adds a message. A new screen replaces what older ones must not show any more, so that it is not kept. */
  #add(message: ChatMessage, screen?: Screen): void {
    const entry: Entry = { message, screen: screen && this.#limited(screen, 0) }
    if (!screen) {
      this.#entries = [...this.#entries, entry]
      return
    }
    let age = this.#entries.filter((each) => each.screen).length
    const older = this.#entries.map((each) =>
      each.screen ? { ...each, screen: this.#limited(each.screen, age--) } : each,
    )
    this.#entries = [...older, entry]
  }

  /** What is shown of a screen after `age` newer ones. */
  #limited({ text, image }: Pick<Screen, 'text' | 'image'>, age: number): Pick<Screen, 'text' | 'image'> {
    const hasPicture = image !== undefined && age < this.#maxScreenshots
    const shown = age === 0 ? text : hasPicture ? 'The screen at this time:' : OLD_SCREEN
    return { text: shown, image: hasPicture ? image : undefined }
  }
}

const OLD_SCREEN = '(The screen of this time is not shown any more.)'
