/** The page's look; colours follow the reader's light or dark setting. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf7;--ink:#22242a;--faint:#6c6f78;--line:#e3e0d8;--card:#fff;
--passed:#2c7a4b;--failed:#b3372f;--harness:#8a3fa0;--warned:#b7791f;--noted:#5b7fa6;--accepted:#a56b3f;--unchecked:#9a9ca3;--unsteady:#b3532f;--unjudged:#7d7f86}
@media(prefers-color-scheme:dark){:root{--paper:#17181c;--ink:#e6e4df;--faint:#9a9ca6;--line:#2e3038;--card:#1f2126;
--passed:#5dbb83;--failed:#ee7a70;--harness:#c78bdc;--warned:#e0b15c;--noted:#8db3de;--accepted:#d59d70;--unchecked:#7b7d86;--unsteady:#ee9470;--unjudged:#8d8f98}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
header,main,footer{max-width:1180px;margin:auto;padding:0 24px}
header{padding-top:48px}
.kicker{margin:0;color:var(--faint);letter-spacing:.02em}
h1{margin:.1em 0;font-size:40px;letter-spacing:-.02em}
header.passed h1 span{color:var(--passed)}header.failed h1 span{color:var(--failed)}
h2{margin:48px 0 12px;font-size:22px}
h3{margin:0 0 4px;font-size:15px}h3 small{color:var(--faint);font-weight:normal}
h4{margin:8px 0 2px;font-size:12px;color:var(--faint);font-weight:600}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12.5px}
pre{margin:6px 0;padding:8px 10px;background:var(--paper);border:1px solid var(--line);border-radius:6px;overflow:auto;max-height:320px;white-space:pre-wrap;overflow-wrap:anywhere}
pre.why{border-left:3px solid currentColor}
.reasons{margin:14px 0 0;padding:0;list-style:none;font-weight:600}.failed .reasons{color:var(--failed)}
.places{margin:8px 0}.places td{padding:4px 10px 4px 0}.places code{overflow-wrap:anywhere}.places td:nth-child(2) code{color:var(--passed)}.places td:nth-child(3) code{color:var(--failed)}.places em{color:var(--faint)}
.bar{display:flex;gap:2px;height:10px;margin:20px 0 8px;border-radius:5px;overflow:hidden}
.bar i{min-width:3px}
.legend{display:flex;flex-wrap:wrap;gap:6px 20px;margin:0;padding:0;list-style:none;color:var(--faint)}
.legend b{color:var(--ink)}
.legend li::before{content:"";display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:6px;background:currentColor}
.bar .passed{background:var(--passed)}.bar .failed{background:var(--failed)}.bar .harness{background:var(--harness)}
.bar .warned{background:var(--warned)}.bar .noted{background:var(--noted)}.bar .unsteady{background:var(--unsteady)}.bar .unjudged{background:var(--unjudged)}.bar .accepted{background:var(--accepted)}.bar .unchecked{background:var(--unchecked)}
.legend .passed::before{color:var(--passed)}.legend .failed::before{color:var(--failed)}.legend .harness::before{color:var(--harness)}
.legend .warned::before{color:var(--warned)}.legend .noted::before{color:var(--noted)}.legend .unsteady::before{color:var(--unsteady)}.legend .unjudged::before{color:var(--unjudged)}.legend .accepted::before{color:var(--accepted)}.legend .unchecked::before{color:var(--unchecked)}
section>h3{margin:22px 0 6px}
.matrix{display:grid;grid-template-columns:repeat(auto-fill,minmax(262px,1fr));gap:4px;margin:0 0 14px;padding:0;list-style:none}
.matrix li{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:5px;font-size:13px;line-height:1.35;min-width:0}
.matrix b{font-weight:600;font-size:11px;color:var(--faint);flex:none}.matrix span{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.matrix em{flex:none;color:var(--faint);font-style:normal;font-size:11px}
.matrix a,.matrix div{display:flex;gap:7px;align-items:baseline;padding:5px 9px;color:inherit;text-decoration:none}
.matrix a:hover{text-decoration:underline}
.matrix .failed{background:color-mix(in srgb,var(--failed) 12%,var(--card))}.matrix .harness{background:color-mix(in srgb,var(--harness) 12%,var(--card))}
.matrix .passed{border-left-color:var(--passed)}.matrix .failed{border-left-color:var(--failed)}.matrix .harness{border-left-color:var(--harness)}
.matrix .warned{border-left-color:var(--warned)}.matrix .noted{border-left-color:var(--noted)}.matrix .unsteady{border-left-color:var(--unsteady)}.matrix .unjudged{border-left-color:var(--unjudged)}.matrix .accepted{border-left-color:var(--accepted)}.matrix .unchecked{border-left-color:var(--unchecked)}
.matrix .empty{border-style:dashed;color:var(--faint)}
article{margin:0 0 14px;padding:14px 18px;background:var(--card);border:1px solid var(--line);border-left:4px solid;border-radius:8px;color:var(--faint)}
article>*{color:var(--ink)}article p{margin:0}
article.failed{border-left-color:var(--failed)}article.harness{border-left-color:var(--harness)}article.warned{border-left-color:var(--warned)}
article.accepted{border-left-color:var(--accepted)}article.noted{border-left-color:var(--noted)}article.unsteady{border-left-color:var(--unsteady)}article.unjudged{border-left-color:var(--unjudged)}
details{margin-top:6px}summary{cursor:pointer;color:var(--faint)}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(300px,100%),1fr));gap:0 14px}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:12px;margin:10px 0}
figure{margin:0}img{max-width:100%;border:1px solid var(--line);border-radius:4px;image-rendering:auto}figcaption{color:var(--faint);font-size:12px}
.wire{margin:6px 0;padding-left:0;list-style:none}.wire li{padding:2px 0}.wire b{font-weight:500;font-size:13px}.wire .received b{color:var(--faint)}
.scroll{overflow-x:auto}table{width:100%;border-collapse:collapse;font-size:13.5px}
th{text-align:left;color:var(--faint);font-weight:500;border-bottom:1px solid var(--line);padding:4px 10px 4px 0}
td{vertical-align:top;border-bottom:1px solid var(--line);padding:6px 10px 6px 0}
tr.passed td:first-child{color:var(--passed)}tr.failed td:first-child{color:var(--failed)}tr.harness td:first-child{color:var(--harness)}
tr.warned td:first-child{color:var(--warned)}tr.noted td:first-child{color:var(--noted)}tr.unsteady td:first-child{color:var(--unsteady)}tr.unjudged td:first-child{color:var(--unjudged)}tr.accepted td:first-child{color:var(--accepted)}tr.unchecked td:first-child{color:var(--unchecked)}
:target{outline:2px solid var(--noted);outline-offset:2px}
footer{padding:40px 24px 60px;color:var(--faint);font-size:13px}
`
