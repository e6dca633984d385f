import{i as e}from"./rolldown-runtime-COiEfhsA.js";import{t}from"./react-B8SKf8RM.js";import{n}from"./toasts-BdmUQ0LT.js";import{t as r}from"./jsx-runtime-DePvh3-m.js";import{n as i}from"./parts-CqQNFJYn.js";import{Gt as a,Z as o,it as s,rt as c}from"./index-D5UT3_bQ.js";import{s as l,t as u,u as d}from"./designs-SMhQsJya.js";import{n as f}from"./tools-DNvz_QzC.js";import{r as p}from"./state-2lYj2opG.js";var m=e(t(),1);function h(e){let t=/\.([a-z]+)$/i.exec(e)?.[1]?.toLowerCase()??``;return t===`sql`||t===`ddl`?`sql`:t===`dbml`||t===`prisma`||t===`json`?t:null}function g(e){let t=e.replace(/\/\*[\s\S]*?\*\/|--[^\n]*|\/\/[^\n]*/g,` `);return/^\s*\{/.test(t)?`json`:/^[ \t]*(model|datasource|generator)[ \t]+\w+[ \t]*\{/m.test(t)?`prisma`:/\b(create|alter)\s+(or\s+replace\s+)?(temp(orary)?\s+|unlogged\s+)?(table|type|schema|index|unique)\b/i.test(t)?`sql`:/^\s*(table|enum|ref|project|tablegroup|tablepartial)\b[^;]*[{:]/im.test(t)?`dbml`:null}var _=[[`sqlite`,`SQLite`],[`postgres`,`PostgreSQL`],[`mysql`,`MySQL / MariaDB`],[`mssql`,`SQL Server`]];function v(e){let[t,n]=new Uint8Array(e);return new TextDecoder(t===255&&n===254?`utf-16le`:t===254&&n===255?`utf-16be`:`utf-8`).decode(e)}var y=4<<20;function b(e){return new TextEncoder().encode(e).length}var x=r();function S({onText:e,children:t}){let[r,i]=(0,m.useState)(!1),a=(0,m.useRef)(null),o=async t=>{t&&(t.size>4194304?n(`bad`,`${t.name} is larger than 4 MiB, which is the most that can be imported at once.`):e(v(await t.arrayBuffer()),t.name))};return(0,x.jsxs)(`div`,{className:r?`drop over`:`drop`,"data-testid":`import-drop`,onDragOver:e=>{e.preventDefault(),i(!0)},onDragLeave:()=>i(!1),onDrop:e=>{e.preventDefault(),i(!1),o(e.dataTransfer.files[0])},children:[t,(0,x.jsxs)(`div`,{className:`hstack`,children:[(0,x.jsx)(`button`,{type:`button`,className:`button small`,onClick:()=>a.current?.click(),children:`Choose a file …`}),(0,x.jsx)(`input`,{ref:a,type:`file`,accept:`.sql,.ddl,.dbml,.prisma,.json,.txt`,hidden:!0,"aria-label":`File to import`,"data-testid":`import-file`,onChange:e=>void o(e.target.files?.[0])})]})]})}var C=`Table boats {
  id int [pk, increment]
  owner_id int [not null]
  name varchar(80) [not null]
  length_m decimal(5,2)
  built date
  Note: 'what lies here'
  indexes {
    (owner_id, name) [unique]
  }
}

Table owners {
  id int [pk, increment]
  name varchar(120) [not null]
  email varchar(200) [not null, unique]
  since timestamp [not null, default: \`now()\`]
}

Table berths {
  id int [pk, increment]
  pier varchar(10) [not null]
  number int [not null]
  length_m decimal(5,2) [not null]
  indexes {
    (pier, number) [unique]
  }
}

Table moorings {
  id int [pk, increment]
  boat_id int [not null]
  berth_id int [not null]
  starts date [not null]
  ends date
  state mooring_state [not null, default: 'booked']
  indexes {
    boat_id
    berth_id
  }
}

Enum mooring_state {
  booked
  moored
  left
}

Ref: boats.owner_id > owners.id [delete: cascade]
Ref: moorings.boat_id > boats.id [delete: cascade]
Ref: moorings.berth_id > berths.id
`;async function w({beginning:e,name:t,dialect:n,text:r}){let i=e===`sample`?C:e===`text`?r:``,o=await u({name:t.trim(),dialect:n,text:e===`text`?r:``,dryRun:!1}),s=o.connection??o.name;await f(`show`,s),i.trim()!==``&&await T(s,i),p.set({list:await d()}),await a(s)}async function T(e,t){let{version:r}=await l(e),i=await c(e,{text:t,format:t===`Table boats {
  id int [pk, increment]
  owner_id int [not null]
  name varchar(80) [not null]
  length_m decimal(5,2)
  built date
  Note: 'what lies here'
  indexes {
    (owner_id, name) [unique]
  }
}

Table owners {
  id int [pk, increment]
  name varchar(120) [not null]
  email varchar(200) [not null, unique]
  since timestamp [not null, default: \`now()\`]
}

Table berths {
  id int [pk, increment]
  pier varchar(10) [not null]
  number int [not null]
  length_m decimal(5,2) [not null]
  indexes {
    (pier, number) [unique]
  }
}

Table moorings {
  id int [pk, increment]
  boat_id int [not null]
  berth_id int [not null]
  starts date [not null]
  ends date
  state mooring_state [not null, default: 'booked']
  indexes {
    boat_id
    berth_id
  }
}

Enum mooring_state {
  booked
  moored
  left
}

Ref: boats.owner_id > owners.id [delete: cascade]
Ref: moorings.boat_id > boats.id [delete: cascade]
Ref: moorings.berth_id > berths.id
`?`dbml`:``,dialect:``,expectedVersion:r,dryRun:!1});if(s(i)){let e=i.place?.excerpt?`\n${i.place.excerpt}`:``;n(`bad`,`The design is there, and empty: ${i.message}${e}`,{sticky:!0});return}let a=i.receipt.warnings;a.length>0&&t!==`Table boats {
  id int [pk, increment]
  owner_id int [not null]
  name varchar(80) [not null]
  length_m decimal(5,2)
  built date
  Note: 'what lies here'
  indexes {
    (owner_id, name) [unique]
  }
}

Table owners {
  id int [pk, increment]
  name varchar(120) [not null]
  email varchar(200) [not null, unique]
  since timestamp [not null, default: \`now()\`]
}

Table berths {
  id int [pk, increment]
  pier varchar(10) [not null]
  number int [not null]
  length_m decimal(5,2) [not null]
  indexes {
    (pier, number) [unique]
  }
}

Table moorings {
  id int [pk, increment]
  boat_id int [not null]
  berth_id int [not null]
  starts date [not null]
  ends date
  state mooring_state [not null, default: 'booked']
  indexes {
    boat_id
    berth_id
  }
}

Enum mooring_state {
  booked
  moored
  left
}

Ref: boats.owner_id > owners.id [delete: cascade]
Ref: moorings.boat_id > boats.id [delete: cascade]
Ref: moorings.berth_id > berths.id
`&&n(`warn`,`Not as it was: ${a.slice(0,5).join(`; `)}${a.length>5?` and ${a.length-5} more`:``}.`,{sticky:!0})}function E(e){let[t,n]=(0,m.useState)(null);return(0,m.useEffect)(()=>{if(e.trim()===``)return;let t=setTimeout(()=>{u({name:``,dialect:``,text:e,dryRun:!0}).then(t=>n({of:e,begun:t}),()=>n(null))},250);return()=>clearTimeout(t)},[e]),t?.of===e?t.begun:null}var D=[{id:`blank`,text:`Blank`},{id:`sample`,text:`Sample`},{id:`text`,text:`Paste`}];function O(){let[e,t]=(0,m.useState)(`blank`),[n,r]=(0,m.useState)(``),[a,s]=(0,m.useState)(``),[c,l]=(0,m.useState)(``),[u,d]=(0,m.useState)(!1),[f,p]=(0,m.useState)(``),h=E(e===`text`?c:``),g=n||h?.dialect||`sqlite`,v=async()=>{d(!0),p(``);try{await w({beginning:e,name:a,dialect:g,text:c})}catch(e){p(o(e)),d(!1)}};return(0,x.jsxs)(`form`,{className:`start`,"data-testid":`start`,onSubmit:e=>{e.preventDefault(),u||v()},children:[(0,x.jsx)(i,{label:`Begin with`,choices:D,chosen:e,onChoose:t,testId:`start-with`}),e===`text`&&(0,x.jsxs)(S,{onText:e=>l(e),children:[(0,x.jsx)(`textarea`,{className:`mono`,rows:8,spellCheck:!1,"aria-label":`SQL, DBML or a Prisma schema`,value:c,"data-testid":`start-text`,placeholder:`CREATE TABLE …

or DBML, or a Prisma schema`,onChange:e=>l(e.target.value)}),h&&(0,x.jsx)(A,{guess:h.guess})]}),(0,x.jsxs)(`div`,{className:`hstack`,children:[(0,x.jsxs)(`label`,{className:`hstack`,children:[`For`,(0,x.jsx)(`select`,{value:g,"data-testid":`start-dialect`,onChange:e=>r(e.target.value),children:_.map(([e,t])=>(0,x.jsx)(`option`,{value:e,children:t},e))})]}),(0,x.jsxs)(`label`,{className:`hstack`,children:[`Called`,(0,x.jsx)(`input`,{type:`text`,value:a,placeholder:`as the folder`,spellCheck:!1,autoCapitalize:`off`,"data-testid":`start-name`,onChange:e=>s(e.target.value)})]}),(0,x.jsx)(`button`,{type:`submit`,className:`button primary`,disabled:u||e===`text`&&c.trim()===``,"data-testid":`start-begin`,children:u?`Beginning …`:`Start the design`})]}),f&&(0,x.jsx)(`p`,{className:`refused`,role:`alert`,"data-testid":`start-wrong`,children:f}),(0,x.jsx)(`p`,{className:`quiet`,children:`One line is written into .berth/config.yaml.`})]})}var k={sql:`SQL`,dbml:`DBML`,prisma:`a Prisma schema`,json:`a design in JSON`};function A({guess:e}){let t=_.find(([t])=>t===e.dialect)?.[1];return e.format?(0,x.jsxs)(`p`,{className:`quiet`,"data-testid":`start-guess`,role:`status`,children:[`This is `,k[e.format]??e.format,t&&` of ${t}`,e.because&&(0,x.jsxs)(x.Fragment,{children:[`, by line `,e.line,`: `,(0,x.jsx)(`code`,{children:e.because})]}),`.`]}):(0,x.jsx)(`p`,{className:`quiet`,children:`This is neither SQL, DBML nor a Prisma schema that berth knows.`})}export{h as a,O as default,_ as i,y as n,g as o,b as r,S as t};