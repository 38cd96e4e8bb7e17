import * as z from 'zod'
import { EventFieldType, Name } from './common.ts'
import { ScenarioEffect } from './effect.ts'
import { AuthoredElement } from './element.ts'
import { Reaction } from './reaction.ts'

/** What composing moves into the window of the browser. */
const content = {
  children: z
    .array(AuthoredElement)
    .describe('Its elements; templates know the parameters of the page by their names')
    .meta({ examples: [[{ role: 'Heading', name: 'Order {{ id }}' }]] })
    .optional(),
}

const Redirect = z.strictObject({
  to: z
    .string()
    .describe('The address to load instead, relative to this page')
    .meta({ examples: ['/login?next=/account'] }),
  when: Name.describe('An expression: redirects only while it holds; always by default')
    .meta({ examples: ['!signed_in'] })
    .optional(),
})

const ToolInput = z.union([
  EventFieldType,
  z.strictObject({
    type: EventFieldType.describe('Its type'),
    description: z.string().max(1000).describe('What agents read about it').optional(),
    optional: z.boolean().describe('Whether it may be left out: it is empty, 0 or false then').optional(),
  }),
])

/** A tool that the script of a page registers for agents (WebMCP), as written. */
export const AuthoredPageTool = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'expected up to 128 letters, digits, _, - and .')
    .describe('Its name, which is also the name of the event of a call')
    .meta({ examples: ['add_to_cart'] }),
  description: z
    .string()
    .min(1)
    .max(5000)
    .describe('What agents read about it. It may be wrong, or give them instructions')
    .meta({ examples: ['Adds an item to the cart.'] }),
  input: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/, 'expected letters, digits and _'), ToolInput)
    .describe('Its arguments and their types; templates of the tool know them by their names')
    .meta({ examples: [{ sku: 'text', quantity: { type: 'integer', optional: true } }] })
    .optional(),
  read_only: z.boolean().describe('It claims to change nothing (readOnlyHint); nothing checks this').optional(),
  untrusted: z
    .boolean()
    .describe('It claims that its results have texts of strangers (untrustedContentHint)')
    .optional(),
  consequential: z
    .boolean()
    .describe('It claims that calls have consequences in the world (consequentialHint)')
    .optional(),
  set: z
    .array(ScenarioEffect)
    .describe('What a call does')
    .meta({ examples: [[{ var: 'cart', append: { id: '{{ sku }}' } }]] })
    .optional(),
  returns: z
    .string()
    .describe('The text that a call answers, after its effects; empty by default')
    .meta({ examples: ['Added {{ sku }}.'] })
    .optional(),
})
export type AuthoredPageTool = z.infer<typeof AuthoredPageTool>

/** A tool of a page, as agents are shown it. */
export type PageTool = Omit<AuthoredPageTool, 'set' | 'returns'>

const tools = {
  tools: z
    .array(AuthoredPageTool)
    .max(100)
    .describe('The tools that its script registers for agents (WebMCP), who see them only where page_tools is set')
    .meta({ examples: [[{ name: 'get_total', description: 'Returns the total.', returns: '{{ total }}' }]] })
    .optional(),
}

/** A page of a site as written. */
export const AuthoredPage = z.strictObject({
  title: z
    .string()
    .describe('Its title, in the tab and the title bar')
    .meta({ examples: ['Order {{ id }}'] })
    .optional(),
  query: z
    .record(Name, z.string())
    .describe('The parameters after the ? of the address, and their values without one')
    .meta({ examples: [{ q: '', sort: 'name' }] })
    .optional(),
  found: Name.describe('An expression: without it holding, the page is not found')
    .meta({ examples: ['orders.exists(o, o.id == id)'] })
    .optional(),
  redirect: z
    .union([z.string(), Redirect])
    .describe('An address that is loaded instead; a text redirects always')
    .meta({ examples: ['/', { to: '/login', when: '!signed_in' }] })
    .optional(),
  download: z
    .string()
    .min(1)
    .describe('Instead of a page, its address answers a file with this name, which goes to the folder of downloads')
    .meta({ examples: ['invoice-{{ id }}.txt'] })
    .optional(),
  text: z
    .string()
    .describe('The text of that file; empty by default')
    .meta({ examples: ['Invoice {{ id }}'] })
    .optional(),
  ...content,
  reactions: z
    .array(Reaction)
    .describe('Reactions while the page is shown; their templates know its parameters')
    .meta({ examples: [[{ on: { tool: 'click_element', target_id: 'buy' }, set: [{ navigate: '/cart' }] }]] })
    .optional(),
  ...tools,
})
export type AuthoredPage = z.infer<typeof AuthoredPage>

/** A site as written. */
export const AuthoredSite = z.strictObject({
  pages: z
    .record(Name, AuthoredPage)
    .describe('Its pages by their paths, in which {name} is a parameter')
    .meta({ examples: [{ '/': { title: 'Shop' }, '/orders/{id}': { title: 'Order {{ id }}' } }] }),
  header: z
    .array(AuthoredElement)
    .describe('Elements above the content of each page')
    .meta({ examples: [[{ role: 'Hyperlink', name: 'Home', href: '/' }]] })
    .optional(),
  footer: z
    .array(AuthoredElement)
    .describe('Elements below the content of each page')
    .meta({ examples: [[{ role: 'Text', name: 'A synthetic shop' }]] })
    .optional(),
  ...tools,
  not_found: z
    .strictObject({ title: z.string().describe('Its title').optional(), ...content })
    .describe('The page for other paths')
    .meta({ examples: [{ title: 'Nothing here', children: [{ role: 'Heading', name: 'Nothing here' }] }] })
    .optional(),
})
export type AuthoredSite = z.infer<typeof AuthoredSite>

/** The section `sites`. */
export const AuthoredSites = z
  .record(Name, AuthoredSite)
  .describe('The sites that the browser can show, by the host of their addresses')
  .meta({ examples: [{ 'shop.test': { pages: { '/': { title: 'Shop' } } } }] })
export type AuthoredSites = z.infer<typeof AuthoredSites>
