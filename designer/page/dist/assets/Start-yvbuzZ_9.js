import{i as e}from"./rolldown-runtime-COiEfhsA.js";import{At as t,It as n,Lt as r,Nt as i,Yt as a,hn as o,q as s,yt as c}from"./base-DVBDFUKt.js";import{i as l,r as u}from"./formats-CO4m0lvc.js";import{t as d}from"./jsx-runtime-DePvh3-m.js";import{n as f}from"./parts-pV0ZN2RD.js";import{J as p,et as m,tt as h}from"./index-C6zy4mmV.js";var g=e(o(),1),_=d();function v({onText:e,children:t}){let[n,r]=(0,g.useState)(!1),i=(0,g.useRef)(null),a=async t=>{t&&(t.size>4194304?c(`bad`,`${t.name} is larger than 4 MiB, which is the most that can be imported at once.`):e(u(await t.arrayBuffer()),t.name))};return(0,_.jsxs)(`div`,{className:n?`drop over`:`drop`,"data-testid":`import-drop`,onDragOver:e=>{e.preventDefault(),r(!0)},onDragLeave:()=>r(!1),onDrop:e=>{e.preventDefault(),r(!1),a(e.dataTransfer.files[0])},children:[t,(0,_.jsxs)(`div`,{className:`hstack`,children:[(0,_.jsx)(`button`,{type:`button`,className:`button small`,onClick:()=>i.current?.click(),children:`Choose a file …`}),(0,_.jsx)(`input`,{ref:i,type:`file`,accept:`.sql,.ddl,.dbml,.prisma,.json,.txt`,hidden:!0,"aria-label":`File to import`,"data-testid":`import-file`,onChange:e=>void a(e.target.files?.[0])})]})]})}var y=`Table boats {
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
`;async function b({beginning:e,name:n,dialect:o,text:c}){let l=e===`sample`?y:e===`text`?c:``,u=await i({name:n.trim(),dialect:o,text:e===`text`?c:``,dryRun:!1}),d=u.connection??u.name;await t(`show`,d),l.trim()!==``&&await x(d,l),a.set({list:await r()}),await s(d)}async function x(e,t){let{version:r}=await n(e),i=await m(e,{text:t,format:t===`Table boats {
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
`?`dbml`:``,dialect:``,expectedVersion:r,dryRun:!1});if(h(i)){let e=i.place?.excerpt?`\n${i.place.excerpt}`:``;c(`bad`,`The design is there, and empty: ${i.message}${e}`,{sticky:!0});return}let a=i.receipt.warnings;a.length>0&&t!==`Table boats {
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
`&&c(`warn`,`Not as it was: ${a.slice(0,5).join(`; `)}${a.length>5?` and ${a.length-5} more`:``}.`,{sticky:!0})}function S(e){let[t,n]=(0,g.useState)(null);return(0,g.useEffect)(()=>{if(e.trim()===``)return;let t=setTimeout(()=>{i({name:``,dialect:``,text:e,dryRun:!0}).then(t=>n({of:e,begun:t}),()=>n(null))},250);return()=>clearTimeout(t)},[e]),t?.of===e?t.begun:null}var C=[{id:`blank`,text:`Blank`},{id:`sample`,text:`Sample`},{id:`text`,text:`Paste`}];function w(){let[e,t]=(0,g.useState)(`blank`),[n,r]=(0,g.useState)(``),[i,a]=(0,g.useState)(``),[o,s]=(0,g.useState)(``),[c,u]=(0,g.useState)(!1),[d,m]=(0,g.useState)(``),h=S(e===`text`?o:``),y=n||h?.dialect||`sqlite`,x=async()=>{u(!0),m(``);try{await b({beginning:e,name:i,dialect:y,text:o})}catch(e){m(p(e)),u(!1)}};return(0,_.jsxs)(`form`,{className:`start`,"data-testid":`start`,onSubmit:e=>{e.preventDefault(),c||x()},children:[(0,_.jsx)(f,{label:`Begin with`,choices:C,chosen:e,onChoose:t,testId:`start-with`}),e===`text`&&(0,_.jsxs)(v,{onText:e=>s(e),children:[(0,_.jsx)(`textarea`,{className:`mono`,rows:8,spellCheck:!1,"aria-label":`SQL, DBML or a Prisma schema`,value:o,"data-testid":`start-text`,placeholder:`CREATE TABLE …

or DBML, or a Prisma schema`,onChange:e=>s(e.target.value)}),h&&(0,_.jsx)(E,{guess:h.guess})]}),(0,_.jsxs)(`div`,{className:`hstack`,children:[(0,_.jsxs)(`label`,{className:`hstack`,children:[`For`,(0,_.jsx)(`select`,{value:y,"data-testid":`start-dialect`,onChange:e=>r(e.target.value),children:l.map(([e,t])=>(0,_.jsx)(`option`,{value:e,children:t},e))})]}),(0,_.jsxs)(`label`,{className:`hstack`,children:[`Called`,(0,_.jsx)(`input`,{type:`text`,value:i,placeholder:`as the folder`,spellCheck:!1,autoCapitalize:`off`,"data-testid":`start-name`,onChange:e=>a(e.target.value)})]}),(0,_.jsx)(`button`,{type:`submit`,className:`button primary`,disabled:c||e===`text`&&o.trim()===``,"data-testid":`start-begin`,children:c?`Beginning …`:`Start the design`})]}),d&&(0,_.jsx)(`p`,{className:`refused`,role:`alert`,"data-testid":`start-wrong`,children:d}),(0,_.jsx)(`p`,{className:`quiet`,children:`One line is written into .berth/config.yaml.`})]})}var T={sql:`SQL`,dbml:`DBML`,prisma:`a Prisma schema`,json:`a design in JSON`};function E({guess:e}){let t=l.find(([t])=>t===e.dialect)?.[1];return e.format?(0,_.jsxs)(`p`,{className:`quiet`,"data-testid":`start-guess`,role:`status`,children:[`This is `,T[e.format]??e.format,t&&` of ${t}`,e.because&&(0,_.jsxs)(_.Fragment,{children:[`, by line `,e.line,`: `,(0,_.jsx)(`code`,{children:e.because})]}),`.`]}):(0,_.jsx)(`p`,{className:`quiet`,children:`This is neither SQL, DBML nor a Prisma schema that berth knows.`})}export{w as default,v as t};