import * as z from 'zod'
import { Name } from './common.ts'
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
