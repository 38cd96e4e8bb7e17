import type { Summarizer } from '../perception.ts'

/** A summarizer without a model. It extracts sentences of the conversation. */
export const extractiveSummarizer: Summarizer = {
  name: 'extractive',
  summarize: async (conversations) => {
    const facts = factsIn(conversations)
    return { summary: summaryOf(conversations, facts), facts }
  },
  title: async (question, answer) => titleOf(question, answer),
}

const MAX_FACTS = 20
const MAX_SUMMARY_SENTENCES = 5
const MAX_TITLE_WORDS = 7
const TITLE_CHARACTERS = 60

/** Phrases with which people state facts about themselves. */
const SAYS_SOMETHING = /\b(?:i am|i'm|i like|i love|i prefer|i use|i work|i live|i need|my \w+ (?:is|are)|call me)\b/i

const sentencesIn = (text: string): readonly string[] =>
  (text.match(/[^.!?\n]+[.!?]?/g) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')

const unnamed = (sentence: string): string => sentence.replace(/^(?:user|human|person)\s*:\s*/i, '')

function factsIn(conversations: readonly string[]): readonly string[] {
  const statements = conversations
    .flatMap(sentencesIn)
    .filter((sentence) => SAYS_SOMETHING.test(sentence) && !/^assistant\s*:/i.test(sentence))
  return [...new Set(statements.map(unnamed))].slice(0, MAX_FACTS)
}

/** The first sentence of each conversation, those with facts first. */
function summaryOf(conversations: readonly string[], facts: readonly string[]): string {
  const openings = conversations.flatMap((conversation) => sentencesIn(conversation).slice(0, 1))
  return [...new Set([...facts, ...openings.map(unnamed)])].slice(0, MAX_SUMMARY_SENTENCES).join(' ')
}

const FILLERS = new Set('please could can would you i me my the a an to of for'.split(' '))

/** A title of a few words from the person's own message, without courtesies. */
function titleOf(question: string, answer: string): string {
  const [opening = ''] = [...sentencesIn(question), ...sentencesIn(answer)]
  const words = opening.replace(/[.!?]+$/, '').split(/\s+/)
  const start = words.findIndex((word) => !FILLERS.has(word.toLowerCase()))
  const chosen = words
    .slice(Math.max(0, start), Math.max(0, start) + MAX_TITLE_WORDS)
    .join(' ')
    .slice(0, TITLE_CHARACTERS)
  return chosen === '' ? 'New conversation' : chosen[0]!.toUpperCase() + chosen.slice(1)
}
