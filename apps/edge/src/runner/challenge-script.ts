/**
 * What the page of a challenge runs in the visitor's browser: finds numbers whose hashes (SHA-256) with the challenge's seed begin with enough
 * zero bits, shows them, and loads the page anew with the pass. Of its own arithmetic, because `crypto.subtle` is
 * missing without TLS and waits a turn for each hash. In slices, so that the page stays alive. Where a puzzle is asked
 * for, the answer to the work is its picture: a piece to be dragged, itself or by its slider, or moved by arrow keys, or more work for who cannot see it.
 * How long work may still take is said once it is known how fast the browser is, where it is ten seconds or more; to screen readers, each fifteen seconds.
 * After a wrong answer the next picture follows at once; after three, the button that is there after every failure.
 * Where Google reCAPTCHA is, its box is shown while the work is done, and both are shown together: a question to Google costs work.
 * Where the network fails, the same proof is shown again, since a page that is loaded anew would be the browser's own.
 * A page that comes right after a proof, and to which no pass was shown, tells that cookies are not kept; one of another way is none of these.
 */
export const CHALLENGE_SCRIPT = `(()=>{'use strict';
const main=document.querySelector('main'),words=main.dataset,parts=+words.parts,by=id=>document.getElementById(id);
const say=by('say'),time=by('time'),told=by('told'),bar=document.querySelector('progress'),again=by('again'),puzzle=by('puzzle'),piece=by('piece'),slider=by('slider'),box=by('recaptcha'),retryText=again.textContent;
const K=new Int32Array(64),H=new Int32Array(8),W=new Int32Array(64),low=x=>(x-Math.floor(x))*4294967296|0;
for(let n=2,i=0;i<64;n++){let isPrime=true;for(let d=2;d*d<=n;d++)if(n%d===0)isPrime=false;
if(isPrime){if(i<8)H[i]=low(Math.sqrt(n));K[i++]=low(Math.cbrt(n))}}
function head(text){W.fill(0,0,16);for(let i=0;i<text.length;i++)W[i>>2]|=text.charCodeAt(i)<<24-8*(i&3);
W[text.length>>2]|=128<<24-8*(text.length&3);W[15]=text.length*8;
for(let i=16;i<64;i++){const a=W[i-15],b=W[i-2];W[i]=W[i-16]+W[i-7]+((a>>>7|a<<25)^(a>>>18|a<<14)^a>>>3)+((b>>>17|b<<15)^(b>>>19|b<<13)^b>>>10)|0}
let[a,b,c,d,e,f,g,h]=H;for(let i=0;i<64;i++){const t=h+((e>>>6|e<<26)^(e>>>11|e<<21)^(e>>>25|e<<7))+(e&f^~e&g)+K[i]+W[i]|0,
u=((a>>>2|a<<30)^(a>>>13|a<<19)^(a>>>22|a<<10))+(a&b^a&c^b&c)|0;h=g;g=f;f=e;e=d+t|0;d=c;c=b;b=a;a=t+u|0}return H[0]+a|0}
const kept=(name,value)=>{try{const before=sessionStorage.getItem(name);if(value!==undefined)sessionStorage.setItem(name,value);return before}catch{return null}};
const title=by('title'),about=by('about');title.tabIndex=-1;
let misses=0;
const name=(text,isAbout)=>{document.title=title.textContent=text;about.hidden=!isAbout};
function fail(why,retry=()=>location.reload()){name(words.stopped,false);say.textContent=words[why];again.textContent=retryText;bar.hidden=puzzle.hidden=true;again.hidden=false;again.focus();again.onclick=retry}
function work({challenge,seed,bits},end=show){const found=[],start=performance.now();let number=0,tried=0,shown=start,heard=0;bar.value=0;bar.hidden=end!==show;
function tell(now){if(end!==show||now-shown<1000)return;const left=Math.ceil((parts-found.length)*2**bits/tried*(now-start)/5000)*5;
if(!time.textContent&&left<10)return;shown=now;time.textContent=words.left.replace('#',left);
if(!heard||now-heard>=15000){heard=now;told.textContent=time.textContent}}
(function search(){const until=performance.now()+24;
while(found.length<parts){tried++;if(head(seed+'.'+found.length+'.'+number)>>>32-bits===0){found.push(number);number=0;bar.value=found.length}else number++;
if((number&255)===0&&performance.now()>until){tell(performance.now());return setTimeout(search)}}
time.textContent=told.textContent='';end(challenge,found.join(','))})()}
async function show(text,...proof){again.hidden=true;let told;try{const signal=self.AbortSignal?.timeout?.(30000),
answer=await fetch(words.path,{method:'POST',headers:{'Cordon-Proof':[text,...proof].join(' ')},signal});
if(!answer.ok){const{work:next}=await answer.json().catch(()=>({}));if(next&&++misses<3){name(words.missed,true);title.focus();return work(next)}return fail(next?'misses':'failed')}
told=await answer.json()}
catch{const before=title.textContent;return fail('network',()=>{name(before,true);title.focus();say.textContent=words.checking;show(text,...proof)})}
if(told.puzzle)return ask(told.puzzle);if(told.work)return work(told.work);
if(told.unanswered){say.textContent=box.dataset.unanswered;again.textContent=box.dataset.instead;again.hidden=false;again.focus();
again.onclick=()=>{again.hidden=true;say.textContent=words.checking;work(told.unanswered)};return}
say.textContent=words.done;kept('cordon-proved',Date.now()+' '+words.way);location.reload()}
function recaptcha(task){const dark=matchMedia('(prefers-color-scheme:dark)').matches;let proof,token,isThere;
const blocked=()=>{words.blocked=box.dataset.blocked;box.hidden=true;fail('blocked')},send=()=>{if(proof&&token){box.hidden=true;say.textContent=words.checking;show(...proof,token)}};
work(task,(...found)=>{proof=found;send()});
self.cordonRecaptcha=()=>{isThere=true;say.textContent='';grecaptcha.render(box,{sitekey:box.dataset.key,theme:dark?'dark':'light',size:box.clientWidth<304?'compact':'normal',
callback:given=>{token=given;send()},'error-callback':blocked})};
const script=document.createElement('script');script.src=box.dataset.script;script.onerror=blocked;document.head.append(script);
setTimeout(()=>{if(!isThere)blocked()},20000)}
function ask({text,top,picture,piece:part}){const src=data=>'data:image/png;base64,'+data;
by('picture').src=src(picture);piece.src=src(part);piece.style.top=top+'px';
bar.hidden=true;say.textContent='';puzzle.hidden=false;slider.value=0;slider.oninput();slider.focus();
puzzle.onsubmit=event=>{event.preventDefault();send(slider.value)};
by('unseen').onclick=()=>{name(puzzle.dataset.title,true);about.textContent=puzzle.dataset.about;title.focus();send('work')};
const send=answered=>{puzzle.hidden=true;say.textContent=words.checking;show(text,answered)}}
slider.oninput=()=>{piece.style.left=slider.value+'px'};
slider.onkeydown=event=>{const way={ArrowLeft:-4,ArrowDown:-4,ArrowRight:4,ArrowUp:4}[event.key];
if(way&&!event.shiftKey){event.preventDefault();slider.value=+slider.value+way;slider.oninput()}};
piece.onpointerdown=event=>{event.preventDefault();slider.focus();piece.setPointerCapture(event.pointerId);const from=event.clientX-slider.value;
piece.onpointermove=at=>{slider.value=at.clientX-from;slider.oninput()}};
piece.onpointerup=piece.onpointercancel=()=>{piece.onpointermove=null};
const[at,way]=(kept('cordon-proved')||'').split(' '),isNew=at&&Date.now()-at<15000,isShown=words.shown==='1';
if(!navigator.cookieEnabled||isNew&&(!isShown||way===words.way)){kept('cordon-proved','');fail(isShown?'failed':'cookies')}
else{const task={challenge:words.challenge,seed:words.seed,bits:+words.bits};box?recaptcha(task):work(task)}})();`;
