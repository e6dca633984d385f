import{i as e}from"./rolldown-runtime-COiEfhsA.js";import{t}from"./react-B8SKf8RM.js";import{i as n,r}from"./formats-CO4m0lvc.js";import{n as i}from"./toasts-BdmUQ0LT.js";import{t as a}from"./jsx-runtime-DePvh3-m.js";import{n as o}from"./parts-BFiOfdQ5.js";import{Kt as s,Q as c,at as l,it as u}from"./index-CqUXdLpV.js";import{s as d,t as f,u as p}from"./designs-SMhQsJya.js";import{n as m}from"./tools-DNvz_QzC.js";import{r as h}from"./state-2lYj2opG.js";var g=e(t(),1),_=a();function v({onText:e,children:t}){let[n,a]=(0,g.useState)(!1),o=(0,g.useRef)(null),s=async t=>{t&&(t.size>4194304?i(`bad`,`${t.name} is larger than 4 MiB, which is the most that can be imported at once.`):e(r(await t.arrayBuffer()),t.name))};return(0,_.jsxs)(`div`,{className:n?`drop over`:`drop`,"data-testid":`import-drop`,onDragOver:e=>{e.preventDefault(),a(!0)},onDragLeave:()=>a(!1),onDrop:e=>{e.preventDefault(),a(!1),s(e.dataTransfer.files[0])},children:[t,(0,_.jsxs)(`div`,{className:`hstack`,children:[(0,_.jsx)(`button`,{type:`button`,className:`button small`,onClick:()=>o.current?.click(),children:`Choose a file …`}),(0,_.jsx)(`input`,{ref:o,type:`file`,accept:`.sql,.ddl,.dbml,.prisma,.json,.txt`,hidden:!0,"aria-label":`File to import`,"data-testid":`import-file`,onChange:e=>void s(e.target.files?.[0])})]})]})}var y=`Table boats {
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
`;async function b({beginning:e,name:t,dialect:n,text:r}){let i=e===`sample`?y:e===`text`?r:``,a=await f({name:t.trim(),dialect:n,text:e===`text`?r:``,dryRun:!1}),o=a.connection??a.name;await m(`show`,o),i.trim()!==``&&await x(o,i),h.set({list:await p()}),await s(o)}async function x(e,t){let{version:n}=await d(e),r=await u(e,{text:t,format:t===`Table boats {
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
`?`dbml`:``,dialect:``,expectedVersion:n,dryRun:!1});if(l(r)){let e=r.place?.excerpt?`\n${r.place.excerpt}`:``;i(`bad`,`The design is there, and empty: ${r.message}${e}`,{sticky:!0});return}let a=r.receipt.warnings;a.length>0&&t!==`Table boats {
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
`&&i(`warn`,`Not as it was: ${a.slice(0,5).join(`; `)}${a.length>5?` and ${a.length-5} more`:``}.`,{sticky:!0})}function S(e){let[t,n]=(0,g.useState)(null);return(0,g.useEffect)(()=>{if(e.trim()===``)return;let t=setTimeout(()=>{f({name:``,dialect:``,text:e,dryRun:!0}).then(t=>n({of:e,begun:t}),()=>n(null))},250);return()=>clearTimeout(t)},[e]),t?.of===e?t.begun:null}var C=[{id:`blank`,text:`Blank`},{id:`sample`,text:`Sample`},{id:`text`,text:`Paste`}];function w(){let[e,t]=(0,g.useState)(`blank`),[r,i]=(0,g.useState)(``),[a,s]=(0,g.useState)(``),[l,u]=(0,g.useState)(``),[d,f]=(0,g.useState)(!1),[p,m]=(0,g.useState)(``),h=S(e===`text`?l:``),y=r||h?.dialect||`sqlite`,x=async()=>{f(!0),m(``);try{await b({beginning:e,name:a,dialect:y,text:l})}catch(e){m(c(e)),f(!1)}};return(0,_.jsxs)(`form`,{className:`start`,"data-testid":`start`,onSubmit:e=>{e.preventDefault(),d||x()},children:[(0,_.jsx)(o,{label:`Begin with`,choices:C,chosen:e,onChoose:t,testId:`start-with`}),e===`text`&&(0,_.jsxs)(v,{onText:e=>u(e),children:[(0,_.jsx)(`textarea`,{className:`mono`,rows:8,spellCheck:!1,"aria-label":`SQL, DBML or a Prisma schema`,value:l,"data-testid":`start-text`,placeholder:`CREATE TABLE …

or DBML, or a Prisma schema`,onChange:e=>u(e.target.value)}),h&&(0,_.jsx)(E,{guess:h.guess})]}),(0,_.jsxs)(`div`,{className:`hstack`,children:[(0,_.jsxs)(`label`,{className:`hstack`,children:[`For`,(0,_.jsx)(`select`,{value:y,"data-testid":`start-dialect`,onChange:e=>i(e.target.value),children:n.map(([e,t])=>(0,_.jsx)(`option`,{value:e,children:t},e))})]}),(0,_.jsxs)(`label`,{className:`hstack`,children:[`Called`,(0,_.jsx)(`input`,{type:`text`,value:a,placeholder:`as the folder`,spellCheck:!1,autoCapitalize:`off`,"data-testid":`start-name`,onChange:e=>s(e.target.value)})]}),(0,_.jsx)(`button`,{type:`submit`,className:`button primary`,disabled:d||e===`text`&&l.trim()===``,"data-testid":`start-begin`,children:d?`Beginning …`:`Start the design`})]}),p&&(0,_.jsx)(`p`,{className:`refused`,role:`alert`,"data-testid":`start-wrong`,children:p}),(0,_.jsx)(`p`,{className:`quiet`,children:`One line is written into .berth/config.yaml.`})]})}var T={sql:`SQL`,dbml:`DBML`,prisma:`a Prisma schema`,json:`a design in JSON`};function E({guess:e}){let t=n.find(([t])=>t===e.dialect)?.[1];return e.format?(0,_.jsxs)(`p`,{className:`quiet`,"data-testid":`start-guess`,role:`status`,children:[`This is `,T[e.format]??e.format,t&&` of ${t}`,e.because&&(0,_.jsxs)(_.Fragment,{children:[`, by line `,e.line,`: `,(0,_.jsx)(`code`,{children:e.because})]}),`.`]}):(0,_.jsx)(`p`,{className:`quiet`,children:`This is neither SQL, DBML nor a Prisma schema that berth knows.`})}export{w as default,v as t};