/**
 * What people choose again and again, compiled by hand from the well-known top lists of published breaches. Nothing
 * is downloaded. `commonWords` are cores that `password-policy.ts` finds under decoration (`P@ssw0rd2024!`), doubled
 * or in pairs, so that a short list stands for many thousands of passwords; `commonPasswords` are whole passwords of
 * ten characters and more that no rule of the policy covers.
 */

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

export const commonWords = list(`
password passwort passwd passcode passphrase pass parola contrasena contrasenha senha motdepasse wachtwoord haslo
heslo salasana losenord adgangskode lozinka jelszo sifre kata sandi mima mimashi woaini woaini1314 wodemima secret
geheim admin administrator administrador root toor superuser user username guest test tester testing testtest demo
default changeme changeit letmein welcome welkom willkommen bienvenue bienvenido benvenuto login signin logon access
account master manager mastermind system server service support security secure private public internet network
computer laptop keyboard monitor desktop windows linux ubuntu debian android iphone samsung galaxy google facebook
instagram twitter youtube amazon microsoft apple oracle cisco database mysql postgres website webmaster hosting domain
cloud cloudflare fastly nginx apache docker kubernetes github gitlab jenkins firewall proxy router switch backup hello
hallo hola bonjour ciao goodbye whatever nothing something anything everything forever always never love lover loveme
loveyou iloveyou ilovehim iloveher ilovegod ilovemom ilovedad iloveme ilovejesus lovely beautiful sexy hottie cutie
cutiepie baby babyboy babygirl babe angel angels devil heaven jesus christ jesuschrist godisgood godisgreat god bible
church faith hope blessed blessing prayer trustno trustme trustnoone freedom liberty peace dream dreams dreamer
sunshine sunflower sunset sunday monday tuesday wednesday thursday friday saturday january february march april may
june july august september october november december spring summer autumn fall winter snow rain rainbow storm thunder
lightning moon moonlight star stars starlight starwars startrek universe planet earth fire water ocean river flower
flowers rose roses lily daisy jasmine violet orchid tulip garden forest mountain dragon dragons monkey tiger tigers
lion lions eagle eagles falcon falcons bear bears wolf wolves panther panthers jaguar leopard cheetah elephant dolphin
dolphins shark sharks whale turtle rabbit bunny kitty kitten hellokitty cat cats dog dogs puppy doggie horse horses
pony unicorn spider spiderman batman superman superwoman wonderwoman ironman hulk avengers captain captainamerica thor
loki joker harley deadpool wolverine xmen pikachu pokemon charizard naruto sasuke goku dragonball onepiece zelda mario
nintendo playstation xbox minecraft fortnite roblox warcraft starcraft diablo counterstrike callofduty halo gamer
gaming player hunter shooter killer ninja samurai warrior knight wizard merlin gandalf frodo legolas hobbit hogwarts
harrypotter hermione dumbledore voldemort matrix terminator rambo rocky godfather scarface jamesbond titanic avatar
disney mickey minnie donald goofy cinderella princess prince queen king kings princesa principe football baseball
basketball soccer hockey tennis golf golfer volleyball softball swimming cricket rugby boxing wrestling skateboard
surfing snowboard racing nascar ferrari porsche lamborghini mercedes audi toyota honda nissan mazda subaru corvette
mustang camaro chevrolet chevy ford dodge harleydavidson yamaha kawasaki suzuki ducati yankees dodgers redsox cubs
giants cowboys steelers packers patriots raiders broncos lakers celtics bulls chicago boston dallas texas florida
california newyork brooklyn hollywood lasvegas london liverpool arsenal chelsea manchester manutd manchesterunited
tottenham everton barcelona realmadrid juventus milan intermilan bayern dortmund paris france germany deutschland
berlin england scotland ireland italia italy spain espana portugal brasil brazil argentina mexico colombia america
american canada australia india pakistan bangladesh china beijing shanghai japan tokyo korea russia moscow ukraine
poland polska sweden norway africa nigeria egypt israel turkey istanbul galatasaray fenerbahce besiktas michael jordan
robert william david daniel thomas andrew joseph joshua matthew anthony christopher christian nicholas alexander
alexandra alexandre benjamin jonathan samuel nathan justin brandon tyler kevin steven stephen richard charles charlie
george edward patrick timothy jason jeffrey eric brian ryan adam aaron jacob ethan logan mason lucas oliver oscar max
buster bailey maggie molly sophie lucy chloe bella coco ginger pepper peanut cookie cookies chocolate cheese banana
apples orange lemon cherry strawberry blueberry raspberry pineapple watermelon mango coffee espresso whiskey vodka
tequila budweiser heineken pizza hamburger chicken bacon sugar honey sweet sweetie sweetheart sweetpea candy icecream
jellybean cupcake muffin butter butterfly snoopy scooby scoobydoo garfield tweety simpsons bart homer southpark
cartman familyguy jessica jennifer ashley amanda stephanie nicole michelle melissa elizabeth danielle samantha rebecca
rachel sarah laura natasha natalie natalia victoria veronica vanessa valentina valerie andrea angela angelina angelica
maria mariana marina martina isabella isabelle gabriela gabriel rafael miguel carlos juan jose pedro pablo diego
fernando alejandro alejandra eduardo ricardo roberto antonio francisco javier manuel sergio patricia claudia monica
sandra silvia carolina catalina daniela camila sofia lucia julia juliana julian sebastian santiago estrella corazon
amor teamo tequiero mivida miamor bebe hermosa preciosa mariposa dios jesucristo familia family mother father mommy
daddy brother sister friend friends bestfriend bestfriends together husband wife marriage money dollar dollars rich
success winner champion champions victory number lucky luckyone casino poker jackpot bitcoin ethereum crypto
blockchain hacker hackers hacked hackme cracker stealth shadow ghost phantom vampire zombie monster demon darkness
dark night midnight black white silver golden gold diamond crystal purple yellow green blue pink red metal metallica
nirvana slipknot ironmaiden acdc pantera greenday blink linkinpark eminem tupac snoopdogg beatles rolling
rollingstones ledzeppelin pinkfloyd elvis presley music guitar piano drummer dancer dancing singer rockstar rocknroll
hiphop gangster gangsta playboy cowboy cowgirl soldier marine marines army navy airforce police fireman firefighter
doctor nurse teacher student school college university graduate engineer developer programmer boss president director
company business office sales marketing finance bank banking payment customer client partner corporate enterprise
industry factory orlando phoenix denver houston austin seattle portland atlanta miami vegas jackson madison ranger
rangers blazer viper cobra python rattlesnake scorpion hornet wasp bulldog bulldogs wildcat wildcats spartan spartans
trojan trojans titan titans crusader pirate pirates viking vikings redskins bluebird cardinal cardinals blackbird
nightmare freak crazy stupid idiot loser asshole bitch fuck fuckyou fuckoff fuckme motherfucker bullshit shit pussy
dick penis boobs blowjob hardcore pornstar naughty playgirl qwert qwerty qwertz azerty asdf asdfgh asdfghjkl zxcv
zxcvbn zxcvbnm qazwsx qweasd qweasdzxc qwerasdf abc abcd abcdef abcdefg aaa zzz xxx blabla blahblah lalala hahaha lol
omg wtf asdasd qweqwe zaqxsw cordon palisade console
`);

export const commonPasswords = list(`
1q2w3e4r5t6y 1q2w3e4r5t 1qaz2wsx3edc 1qaz2wsx3edc4rfv zaq12wsxcde3 zaq1xsw2cde3 zaq1zaq1zaq1 qwer1234asdf
qwerty123qwerty 1234qwerasdf 1234qwerasdfzxcv qweasdzxc123 123qweasdzxc 123qwe123qwe 123qwe!@#qwe qwe123qwe123
qwe123!@#qwe 1qazxsw23edc 1qaz!qaz2wsx @wsx1qaz@wsx !qaz2wsx#edc !qaz@wsx#edc $rfv5tgb6yhn q1w2e3r4t5y6 a1b2c3d4e5
a1b2c3d4e5f6 a1s2d3f4g5 z1x2c3v4b5 abc123abc123 abc123def456 abcd1234abcd abcde12345 abcdef123456 abcdefg123
abcdefgh12 aa12345678 aa123456789 aaa111bbb222 a123456789 a1234567890 a12345678910 q123456789 z123456789 s123456789
k123456789 w123456789 x123456789 m123456789 123456789a 123456789z 123456789q 123456789s 123456789m 123456789k
123456789abc 1234567890q 1234567890a 123456abcdef 123123qweqwe 12345qwert 12345qwerty 123456qwerty 1234567qwerty
12345abcde 123abc456def 1a2b3c4d5e 1a2b3c4d5e6f 0987654321a 11223344aa 112233445566 11112222333 1111122222 147258369a
147852369a 159357258456 741852963a 789456123a 963852741a xxxxxxxxxx1 asdfghjkl1 asdfghjkl123 asdf1234asdf asdfjkl123
asdf123456 asd123456789 asdqwe123456 asdzxc123456 asdasd123123 zxcvbnm123 zxcvbnm1234 zxc123456789 zxcv123456
zxcvbnm123456 qazwsx123456 qazwsxedc123 qazwsxedcrfv qazxswedc123 qaz123wsx456 iloveyou12 iloveyou123 iloveyou1234
iloveyouforever iloveyousomuch iloveyoubaby iloveyoumom iloveyoudad iloveyoutoo ilovemyself ilovemyfamily ilovemywife
ilovemycat ilovemydog ilovemykids ilovemymom ilovemydad ilovejustin ilovemusic iloveboobs ilovechocolate ilovefootball
ilovepizza ilovesoccer iloveyou3000 youandme4ever youaremine meandyou4ever loveyou4ever loveisblind loveislife
loveforever lovemeforever lovehurts1 truelove123 allyouneedislove onlyone4me mylove4ever letmein1234 letmeinnow
letmeinplease letmeinside openthedoor opensesame open_sesame abracadabra abracadabra1 hocuspocus
correcthorsebatterystaple correcthorse trustno1trustno1 trustnobody nevermind1 neversaynever whatthefuck whatthehell
whatsup123 whoareyou1 whoamitoday iamthebest iamthebest1 iamthegreatest iamtheking iamawesome iamlegend1 iamironman
iamgroot123 youknowwho donotenter donttouchme donttouch1 dontforget dontforgetme dontknow123 idontknow1 idontknow12
idontcare1 rememberme rememberme1 forgetmenot forgetaboutit fuckyou123 fuckyou1234 fuckyouall fuckthepolice
fuckthisshit fuckthesystem goodmorning goodnight1 goodluck123 goodfellas goodcharlotte godislove1 godblessme
godblessyou godblessamerica ingodwetrust jesusislord jesuslovesme jesussaves jesus4ever praisegod1 thelordismyshepherd
hallelujah hallelujah1 amazinggrace blackberry blackbird1 blackdragon blackhorse blackjack1 blackpanther blacksabbath
blackwidow bluedragon bluemoon12 redbull123 redsox2004 redhotchilipeppers whitetiger greenapple greenlantern
yellowstone silverfox1 goldeneye1 goldengate purplerain rainbowdash rainbowsix moonlight1 moonshine1 starwars123
startrek123 stargate123 stargatesg1 starcraft2 battlefield battlefield3 battlefield4 bestfriend1 bestfriends4ever
bestofthebest bigdaddy123 bigbrother bigbangtheory gameofthrones winteriscoming valarmorghulis houseofcards
breakingbad heisenberg walkingdead strangerthings supernatural prisonbreak doctorwho1 sherlocked theoneandonly
theking123 thedoctor1 theboss123 themaster1 thematrix1 thebeatles thekillers thegodfather thelastofus thesimpsons
lordoftherings onering2rule myprecious maytheforcebewithyou darthvader darthvader1 lukeskywalker skywalker1
obiwankenobi millenniumfalcon stormtrooper chewbacca1 hansolo123 bobafett123 masterchief masteryoda mastermind1
supersaiyan supersonic supernova1 superman123 superman12 superstar1 superstar123 superuser1 supervisor supermario1
spongebob1 spongebob123 patrickstar mickeymouse minniemouse donaldduck winniethepooh tinkerbell tinkerbell1
sleepingbeauty snowwhite1 peterpan123 alicewonderland harrypotter1 expectopatronum alohomora123 slytherin1 gryffindor
gryffindor1 ravenclaw1 hufflepuff voldemort1 dumbledore1 pokemon123 pokemongo123 charmander bulbasaur1 squirtle123
digimon123 dragonballz dragonballz1 dragonslayer dragonfly1 naruto1234 onepiece123 fullmetalalchemist deathnote1
evangelion assassinscreed grandtheftauto gtasanandreas gtavicecity counterstrike1 callofduty1 callofduty4
modernwarfare leagueoflegends worldofwarcraft warhammer40k warhammer40000 finalfantasy finalfantasy7 metalgearsolid
residentevil silenthill1 tombraider1 needforspeed minecraft123 fortnite123 roblox1234 playstation playstation2
playstation3 playstation4 nintendo64 xbox360live manchester1 manchesterunited manchester123 liverpool1 liverpool123
liverpoolfc youllneverwalkalone ynwa123456 chelsea123 chelseafc1 arsenal123 arsenalfc1 barcelona1 barcelona10
fcbarcelona realmadrid1 realmadrid7 cristiano7 cristianoronaldo ronaldo123 ronaldinho ronaldinho10 lionelmessi
messi10messi juventus123 acmilan123 galatasaray1905 fenerbahce1907 besiktas1903 basketball1 basketball23 baseball123
football123 football12 football10 soccer1234 michaeljordan jordan2345 kobebryant kobebryant24 lebronjames lebron2323
chicagobulls dallascowboys pittsburghsteelers steelers43 newyorkyankees yankees123 goyankees1 bostonredsox washington
washington1 california1 california123 losangeles newyork123 newyorkcity sanfrancisco sandiego123 lasvegas123
philadelphia pennsylvania northcarolina southcarolina mississippi minnesota1 connecticut massachusetts tennessee1
australia1 deutschland1 netherlands nederland1 switzerland barcelona123 argentina1 argentina10 colombia123 venezuela1
bangladesh1 bangladesh123 pakistan123 india12345 indonesia1 indonesia123 philippines malaysia123 singapore1
thailand123 vietnam123 matkhau123 anhyeuem123 emyeuanh123 saranghae1 saranghaeyo woaini1314520 woaini1314 aini1314520
5201314520 52013145201314 1314520520 a5201314520 qq123456789 wang123456 zhang123456 li12345678 liu123456789 chen123456
yang123456 huang123456 zhao123456 wu123456789 zhou123456 xiao123456 tian123456 aa5201314520 abc5201314 asd5201314
iloveyou520 iloveu1314 nihao123456 nihaoma123 zhongguo123 beijing2008 shanghai123 taobao123456 baidu123456 tencent123
alibaba123 computer12 computer123 internet123 internet12 samsung123 samsung1234 motorola123 blackberry1 microsoft1
windows123 windowsxp1 windows10pro linux12345 ubuntu1234 raspberry1 raspberrypi admin12345 admin123456 admin1234567
admin12345678 adminadmin1 admin@1234 admin@12345 admin@123456 administrator1 administrator123 root123456 rootroot123
rootpassword toor123456 user123456 username123 username12 guest12345 guest123456 test123456 test1234567 testtest123
testing123 testing1234 tester1234 test@12345 demo123456 default123 default1234 changeme12 changeme123 changeme1234
changeme123456 changethis1 changemenow temp123456 temporary1 temporary123 newpassword newpassword1 oldpassword
yourpassword ourpassword thepassword mypassword mypassword1 mypassword123 nopassword nopassword1 mysecret123
mypasswordis password01 password12 password99 passw0rd123 p@ssw0rd123 p@ssword123 p@55w0rd12 passpass123 pass123456
pass1234567 passwordpassword password2password wordpass123 drowssap12 drowssap123 secret1234 secret12345 supersecret
supersecret1 topsecret1 topsecret123 secretsecret confidential classified security12 security123 welcome123
welcome1234 welcome12345 welcome@123 welcome2019 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024
welcome2025 welcome2026 welcometothejungle login12345 login123456 master1234 master12345 access1234 manager123
service123 support123 company123 business123 office1234 server1234 system1234 oracle1234 cisco12345 cisco@1234
database123 mysql12345 postgres123 postgres1234 summer2019 summer2020 summer2021 summer2022 summer2023 summer2024
summer2025 summer2026 winter2019 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026
spring2020 spring2021 spring2022 spring2023 spring2024 spring2025 spring2026 autumn2020 autumn2021 autumn2022
autumn2023 autumn2024 autumn2025 autumn2026 sunshine12 sunshine123 butterfly1 butterfly123 princess12 princess123
princess1234 beautiful1 beautiful123 chocolate1 chocolate123 strawberry strawberry1 cheesecake cheesecake1
cheeseburger peanutbutter peanutbutter1 jellybeans hersheykiss gummybears gummybear1 buttercup1 buttercream buttermilk
watermelon1 pineapple1 pineapple123 cookiemonster cookies123 chickennugget pancakes12 spaghetti1 snickers12
snickerdoodle cocacola12 cocacola123 drpepper12 mountaindew budlight12 jackdaniels johnnycash johnlennon johncena123
michael123 michelle12 michelle123 jennifer12 jennifer123 jessica123 jessica1234 elizabeth1 elizabeth123 elizabeth2
stephanie1 stephanie123 christina1 christine1 christopher christopher1 christian1 christian123 alexander1 alexander123
alexandra1 alexandria benjamin12 jonathan12 jonathan123 nathaniel1 sebastian1 sebastian123 katherine1 kathleen12
catherine1 margarita1 guadalupe1 valentina1 valentina123 francisco1 alejandro1 alejandra1 alejandra123 fernando12
fernanda12 gabriel123 gabriela123 mariposa12 teamo12345 teamomucho teamomiamor tequieromucho tequiero123 amorcito12
amoreterno miamorcito contrasena1 contrasena123 contraseña123 estrellita estrella12 princesa12 princesa123 bendiciones
diosesamor dioses1234 dioseslove motdepasse1 motdepasse123 azertyuiop azertyuiop1 azertyuiop123 azerty1234 azerty12345
azerty123456 doudou1234 jetaime123 jetaime1234 jetaimefort bonjour123 marseille13 passwort12 passwort123 passwort1234
hallo12345 hallo123456 schalke041904 bayern1900 qwertzuiop qwertzuiop1 qwertz1234 qwertz12345 qwertz123456 ficken1234
schatz1234 ichliebedich ichliebedich1 sonnenschein sommer2020 sommer2021 sommer2022 sommer2023 sommer2024 winter12345
wachtwoord1 welkom1234 welkom12345 ikhouvanjou ikhouvanjou1 forzamilan forzainter forzajuve1 forzaroma1 tiamo12345
amoremio12 amoremio123 juventus1897 polska1234 polska12345 kochamcie1 kochamcie123 haslo12345 haslo123456 dupadupa123
lol123lol123 qwerty12345 qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyui123 qwertyuiop1
qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiop[] qwerty!@#$% qwerty@123 qwerty@1234 qwerty12qwerty12 gfhjkm12345
gfhjkm123456 ghbdtn12345 ytrewq54321 privet1234 privet12345 parol12345 parol123456 lubov12345 natasha123 nastya1234
marina12345 sergey1234 dmitriy123 vladimir12 aleksandr1 aleksandra ekaterina1 lokomotiv1 spartak1922 zenit12345
cheburashka letmeletmein superpassword hardpassword strongpassword securepassword mysecurepassword thisismypassword
thisisapassword thisisasecret thisismysecret verysecret verysecure notapassword notmypassword password4me pa55word123
pa$$word123 pa$$w0rd123 pa$$w0rd1234 pa$$word1234 p@$$w0rd12 p@$$w0rd123 p@$$word123 pword12345 passw0rd1234
p4ssw0rd123 p4ssword123 p455w0rd12 1passwordx 1password1 1password2 1loveyou123 iluvyou123 iluvu4ever 4everyoung
foreveryoung foreveralone foreverlove forever21forever alwaysandforever tillidie123 ridordie123 rideordie1 thuglife123
thuglife4ever gangsta123 westside12 eastside12 killer1234 killer12345 killerqueen hellokitty1 hellokitty123 hello12345
hello123456 helloworld helloworld1 hello_world helloworld123 hellohello1 hihihihihi1 byebye1234 goodbye123 badboy1234
badgirl123 sexygirl12 sexygirl123 sexybitch1 sexymama12 hotmail123 hotmail1234 gmail12345 gmail123456 yahoo12345
yahoo123456 facebook12 facebook123 facebook1234 instagram1 instagram123 twitter123 youtube123 youtube1234 myspace123
myspace1234 linkedin12 linkedin123 netflix123 amazon1234 google1234 google12345 google123456 paypal1234 bitcoin123
bitcoin2017 bitcoin2021 dogecoin123 ethereum12 tothemoon1 tothemoon123 coronavirus covid19covid covid12345
lockdown2020 quarantine trump2016maga trump20202020 maga2020maga makeamericagreat makeamericagreatagain
blacklivesmatter
`);
