import type { ModelDialect } from './dialect.ts'
import { anthropicDialect } from './dialects/anthropic.ts'
import { geminiDialect } from './dialects/gemini.ts'
import { openAiDialect } from './dialects/openai.ts'

/** The dialects by name. A dialect is one row. */
const DIALECTS: readonly ModelDialect[] = [openAiDialect, anthropicDialect, geminiDialect]

export const DIALECT_NAMES: readonly string[] = DIALECTS.map(({ name }) => name)

export const findDialect = (name: string): ModelDialect | undefined => DIALECTS.find((dialect) => dialect.name === name)
